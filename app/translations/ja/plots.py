"""Plots other than against time."""

TEXTS = {
    "Over time": "時間変化",
    "Phase plane": "位相平面",
    "Poincaré section": "ポアンカレ断面",
    "Spectrum": "スペクトル",
    "Hann window": "ハン窓",
    "Blackman window": "ブラックマン窓",
    "No window": "窓なし",
    "Logarithmic": "対数",
    "whenever": "次の量",
    "rises through": "が下から通る値",
    "Level at which the third quantity makes a point, on its way up": (
        "三つ目の量が増えながらこの値を通るたびに点を打つ"
    ),
    "Hann tells close frequencies apart, Blackman shows weak ones beside strong ones": (
        "ハン窓は近い周波数を見分け、ブラックマン窓は強い成分のそばの弱い成分を見せる"
    ),
    "frequency": "周波数",
    "points: {count}": "点の数: {count}",
    "peak: {frequency} Hz, {amplitude} {unit}": "ピーク: {frequency} Hz、{amplitude} {unit}",
    "What is drawn of the chosen quantities": "選んだ量の何を描くか",
    "See all of the picture": "図の全体を見る",
}
