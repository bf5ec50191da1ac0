"""The hand over a distance sensor: dock, calibration, what it drives."""

TEXTS = {
    "Sensor": "センサー",
    "Drives": "動かすもの",
    "Calibration, filter": "校正とフィルター",
    "Simulated hand": "模擬の手",
    "Write what the sensor measures to a CSV file, which can be played again": (
        "センサーの測定を CSV ファイルに書きます。あとで再生できます"
    ),
    "Lower: calmer, and later": "低いほど静かで、遅れが大きい",
    "Outliers": "外れ値",
    "Filter": "フィルター",
    "Cut-off": "遮断周波数",
    "Lag": "遅れ",
    "Distance": "距離",
    "Swing": "振れ幅",
    "Period": "周期",
    "Noise": "雑音",
    "Recorded...": "記録から...",
    "Noise of a recording": "記録の雑音",
    "The noise of a real sensor: record one that looks at something at rest, and choose the file here": (
        "本物のセンサーの雑音。静止した物を測って記録し、そのファイルをここで選びます"
    ),
    "Made up by chance: its standard deviation; one measurement of a hundred is 50 times off": (
        "乱数で作った雑音の標準偏差。測定の百に一つは 50 倍外れます"
    ),
    "Record": "記録",
    "Calibrate...": "校正...",
    "Rate": "頻度",
    "Measurements per second": "1 秒あたりの測定数",
    "Latency": "遅延",
    "From the wire to the next batch of steps": "線に届いてから次のステップまで",
    "Lost lines": "失われた行",
    "Numbers that are missing between those that came": "届いた番号の間で抜けているもの",
    "Bad lines": "読めない行",
    "Lines that could not be read": "読めなかった行",
    "One-euro: calm at rest, quick in motion": "One-euro: 静止時は静か、動作は速い",
    "Exponential": "指数平滑",
    "None": "なし",
    "The sensor is believed.": "センサーの値をそのまま使っています。",
    "by {count} distances, off by {off} mm at most": "{count} 点で校正、ずれは最大 {off} mm",
    "Stop": "やめる",
    "off": "なし",
    "of the scene's hand": "シーンの手",
    "too far": "遠すぎる",
    "too near": "近すぎる",
    "no distance": "距離なし",
    "reading": "測定値",
    "sensor: {raw} mm": "センサー: {raw} mm",
    "The recording has ended: {why}": "記録が終わりました: {why}",
    "middle of {count}": "{count} 個の中央値",
    "Recording to {path}": "{path} に記録しています",
    "{path} can't be written: {why}": "{path} に書けません: {why}",
    # What it drives
    "'{name}' moves {along} by scale × distance + offset, and no faster than {fastest} m/s.": (
        "「{name}」は{along}、倍率 × 距離 + ずらし だけ動きます。{fastest} m/s より速くはなりません。"
    ),
    "along its axis": "軸に沿って",
    "along its normal": "法線に沿って",
    "Number...": "数値...",
    "Scale": "倍率",
    "Offset": "ずらし",
    "From": "下限",
    "To": "上限",
    "Change per way of the hand; negative: the other way": "手の動きあたりの変化。負なら逆向き",
    "Where it is when the hand is at distance 0": "手が距離 0 にあるときの位置",
    "It goes no farther back": "これより後ろへは行きません",
    "It goes no farther ahead": "これより前へは行きません",
    "Drive any number of the scene: gravity, a field, a stiffness": (
        "重力、磁場、ばね定数など、シーンのどの数値でも動かす"
    ),
    "it holds still": "その場で止まる",
    "it goes to": "ここへ行く",
    "This scene has no wall, driven body or path that could follow the hand; a number can.": (
        "このシーンには手に従える壁も駆動される物体も経路もありません。数値なら従えます。"
    ),
    "'{name}' is scale × distance [m] + offset, in steps, and keeps to what it may be.": (
        "「{name}」は 倍率 × 距離 [m] + ずらし です。段階的に変わり、許される範囲を守ります。"
    ),
    "If the hand is lost": "手を見失ったら",
    "Let it stand": "止めておく",
    "'{name}' does not follow the hand.": "「{name}」は手に従っていません。",
    "Drive a number": "数値を動かす",
    "Search numbers": "数値を探す",
    "Drive it": "手で動かす",
    # Source
    "Recordings (*.csv)": "記録 (*.csv)",
    "Recording...": "記録を再生...",
    "As the sketch says in Serial.begin(...)": "スケッチの Serial.begin(...) と同じ値",
    "Unit of bare numbers; the sketches that come with Polhode say millimetres": (
        "数字だけの行の単位。Polhode 付属のスケッチはミリメートルです"
    ),
    "Play a recording": "記録を再生",
    "Disconnect": "切断",
    "Connect": "接続",
    "{path}  (not plugged in)": "{path}  (つながっていません)",
    "{detail} is not plugged in; waiting for it.": "{detail} がつながっていません。待っています。",
    "No board is plugged in; waiting for one.": "ボードがつながっていません。待っています。",
    "Several boards are plugged in; choose one.": "ボードがいくつかつながっています。選んでください。",
    "Unplugged. What it drives holds still; it goes on when the sensor is back.": (
        "抜かれました。動かしていたものはその場で止まり、センサーが戻ると続きます。"
    ),
    "Another program has {detail} open, perhaps a serial monitor. Close it there.": (
        "別のプログラム(シリアルモニターなど)が {detail} を使っています。そちらを閉じてください。"
    ),
    "Can't be opened: {detail}. Trying again.": "開けません: {detail}。もう一度試しています。",
    "Open. The board begins anew, which takes two seconds...": "開きました。ボードの再起動に 2 秒かかります...",
    "Nothing comes. Is a sketch uploaded, and does it send at this baud rate?": (
        "何も届きません。スケッチは書き込んでありますか。通信速度は合っていますか。"
    ),
    "What comes can't be read. Another baud rate? Another sketch?": (
        "届くものが読めません。通信速度かスケッチが違うかもしれません。"
    ),
    "The recording has ended.": "記録が終わりました。",
    "Not connected.": "つながっていません。",
    "Not connected. What follows stays where the hand was seen last, until the scene begins anew.": (
        "つながっていません。従うものは、シーンを始め直すまで、最後に手が見えた所で止まっています。"
    ),
    "Not connected. The scene's own simulated hand moves: {centre:g} ± {amplitude:g} mm, {period:g} s.": (
        "つながっていません。シーンの模擬の手が動いています: {centre:g} ± {amplitude:g} mm、{period:g} s。"
    ),
    "Not connected. The scene's hand waits at {place:g} mm.": (
        "つながっていません。シーンの手は {place:g} mm で待っています。"
    ),
    "This user may not open the port.": "このユーザーはポートを開けません。",
    "Users of the group '{detail}' may open the port. Join it, then log in again: {command}": (
        "ポートを開けるのはグループ「{detail}」のユーザーです。加わってから、ログインし直してください: {command}"
    ),
    "Reading {sensor}, sketch {sketch}, every {period} ms.": (
        "{sensor}(スケッチ {sketch})を {period} ms ごとに読んでいます。"
    ),
    "Reading bare numbers.": "数字だけの行を読んでいます。",
    "Connected.": "つながりました。",
    # Calibration
    "It is off by {off} mm at most at these places.": "これらの点でのずれは最大 {off} mm です。",
    "Calibrate the sensor": "センサーの校正",
    "Hold something flat at a distance that you have measured with a ruler, from the face of the sensor. Type the "
    "distance in and press Take. Do so at two places or more, far apart.": (
        "センサーの面から定規で測った距離に平らな物を置き、その距離を入力して「取り込む」を押してください。"
        "離れた二か所以上で行ってください。"
    ),
    "A line through them": "直線で結ぶ",
    "A table, straight between them": "表(間は直線)",
    "Use it": "使う",
    "Believe the sensor": "センサーの値をそのまま使う",
    "The sensor says {raw} mm, and has trembled by {spread} mm within a second.": (
        "センサーの値は {raw} mm、1 秒間の揺れは {spread} mm です。"
    ),
    "Take": "取り込む",
    "Remove": "取り除く",
    "Sensor [mm]": "センサー [mm]",
    "Ruler [mm]": "定規 [mm]",
    "Off by [mm]": "ずれ [mm]",
    "Ruler": "定規",
    "The sensor measures nothing.": "センサーは何も測っていません。",
}
