"""Plots other than against time."""

TEXTS = {
    # Quantities, by their columns
    "energy.kinetic": "運動エネルギー",
    "energy.gravity": "重力のエネルギー",
    "energy.magnetic": "磁気エネルギー",
    "energy.elastic": "弾性エネルギー",
    "energy.total": "全エネルギー",
    "energy.drift": "エネルギーのずれ",
    "work.friction": "摩擦の仕事",
    "work.drive": "駆動の仕事",
    "work.field": "外部磁場の仕事",
    "work.damping": "ばねの減衰の仕事",
    "work.contact": "接触の仕事",
    "work.air": "空気抵抗の仕事",
    "work.hand": "手の仕事",
    "sensor.distance": "センサーの距離",
    "position": "位置",
    "velocity": "速度",
    "u1": "軸 u1",
    "u2": "軸 u2",
    "u3": "軸 u3",
    "angular_velocity": "角速度",
    "angular_momentum": "角運動量",
    "momentum": "運動量",
    "parameter": "パラメーター",
    "speed": "速さ",
    "constraint_force": "拘束力",
    "angle": "角度",
    "distance": "距離",
    # Pictures
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
