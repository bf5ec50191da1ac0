"""Plots, modes, paths, the dialog of a mesh."""

TEXTS = {
    # Tree and inspector
    "Add": "追加",
    "Scene": "シーン",
    "Inspector": "インスペクター",
    "Now": "いま",
    "Drag a quantity into the plots, or double-click it": "量をグラフへドラッグするか、ダブルクリックします",
    "Choose a colour": "色を選ぶ",
    "Choose a file": "ファイルを選ぶ",
    "Choose something in the scene or in the view.": "シーンの一覧か画面で何かを選んでください。",
    "Copied as text of a scene file": "シーンファイルの文字としてコピーしました",
    "Dipole": "双極子",
    "Ghost": "ゴースト",
    "Drag to change it, with Shift by fine steps": "ドラッグで変更、Shift で細かく",
    "In the view...": "画面で指定...",
    "Kind": "種類",
    "No bead is in this scene. Edit > Add makes one.": (
        "このシーンにはビーズがありません。「編集 > 追加」で作れます。"
    ),
    "Nothing is chosen that could be looked at": "見る対象が選ばれていません",
    "Open the editor of paths": "経路エディターを開く",
    "Removed {names}": "{names} を削除しました",
    "a part": "部品",
    "a place": "場所",
    "a point of a body": "物体の点",
    "and what held to it ({what})": "と、それにつながるもの({what})",
    "{removed}. {key} brings it back.": "{removed}。{key} で元に戻せます。",
    "none": "なし",
    "hide": "隠す",
    "show": "表示",
    "scene": "シーン",
    # Mesh
    "A magnet at its bottom, over three magnets": "底に磁石、その下に三つの磁石",
    "by its weight": "重さで",
    "Unit of the file": "ファイルの単位",
    "Material": "材料",
    "Held at": "支点",
    "Support": "支え方",
    "Its moment": "磁気モーメント",
    "What follows": "求めた値",
    "Click on the mesh to hold it there.": "メッシュをクリックした所を支点にします。",
    "Hang it up": "つるす",
    "Add it": "追加する",
    "Add {name}": "{name} を追加",
    "Meshes ({endings})": "メッシュ ({endings})",
    "Tables ({endings})": "表 ({endings})",
    "Density": "密度",
    "Mass": "質量",
    "Top of its box": "外枠の上面",
    "Clicked point": "クリックした点",
    "Centre of mass": "重心",
    "Is free and falls": "支えずに落とす",
    "Swings about the pivot": "支点のまわりに振れる",
    "Stays where it is": "動かない",
    "Triangles": "三角形",
    "Size": "大きさ",
    "Volume": "体積",
    "Pivot": "支点",
    "Hang up {name}": "{name} をつるす",
    "Principal moments": "主慣性モーメント",
    "Mended": "修復",
    # Modes
    "Frequency of the mode by itself": "そのモードだけの振動数",
    "Time of one swing": "1 回の振動の時間",
    "Share of the energy that the modes of this list have now, about the body at rest": (
        "この表のモードがいま持つエネルギーの割合(静止した物体を基準に)"
    ),
    "Takes amplitude and rate out of the mode and keeps it out; a reset brings it back": (
        "モードの振幅と速度をなくし、そのままにします。最初に戻すと復活します"
    ),
    "buckles": "座屈",
    "w² = {square} 1/s²: the springs press it aside, and it does not swing about the straight": (
        "w² = {square} 1/s²: ばねが横へ押し出すので、まっすぐな形のまわりに振動しません"
    ),
    "All points of this body move freely. With modes = n in the scene, single modes can be silent": (
        "この物体の質点はすべて自由に動きます。シーンに modes = n と書くと、モードごとに止められます"
    ),
    "Mode": "モード",
    "f [Hz]": "f [Hz]",
    "T [s]": "T [s]",
    "Energy": "エネルギー",
    "Silent": "停止",
    "Gives the body a push along this shape; the others keep what they have": (
        "この形に沿って物体を押します。ほかのモードはそのままです"
    ),
    "Modes": "モード",
    "The run pauses, and the body swings in this shape, slowly and exaggerated": (
        "シミュレーションを止め、この形の振動をゆっくり、誇張して見せます"
    ),
    "The physics is being prepared.": "物理を準備しています。",
    "No soft body is in this scene, so there are no modes. The gallery has some: a cloth in the wind, a jelly on a "
    "tilted plate.": (
        "このシーンには柔らかい物体がないので、モードもありません。ギャラリーには、風の中の布や傾いた板の上のゼリーがあります。"
    ),
    "It moves by {count} of its {available} modes.": "{available} 個のうち {count} 個のモードで動きます。",
    "All its points move. The lowest {count} of its {available} modes:": (
        "すべての質点が動きます。{available} 個のうち低いほうから {count} 個のモード:"
    ),
    "Its lowest modes are being found...": "低いほうのモードを求めています...",
    "None of its points moves by itself, so it has no modes.": "自由に動く質点がないので、モードはありません。",
    "Its points are on one line and none is fixed: its modes are not defined.": (
        "質点が一直線に並び、固定点がありません。モードは定まりません。"
    ),
    "It has too many points for a search. Give it modes = n in the scene.": (
        "質点が多すぎて求められません。シーンに modes = n と書いてください。"
    ),
    "End the look": "見るのをやめる",
    "Look at it": "見る",
    "Excite": "励起",
    "This mode is silent: take its mark away first": "このモードは止めてあります。先に印を外してください",
    "Its modes can't be found: {why}": "モードを求められません: {why}",
    "{count} that buckle are left out.": "座屈する {count} 個は省いてあります。",
    # Paths
    "Return enters what is typed, Escape takes it back. Numbers may be formulas, too: 2*pi.": (
        "Enter で入力を確定、Esc で取り消します。数値は 2*pi のような式でも書けます。"
    ),
    "Path of a bead": "ビーズの経路",
    "Drag the points in the view, or type their places. A click on another bead chooses it.": (
        "画面の中で点をドラッグするか、位置を入力してください。別のビーズをクリックするとそちらに移ります。"
    ),
    "Add a point": "点を加える",
    "Remove it": "取り除く",
    # Plots
    "Search quantities": "量を探す",
    "time": "時刻",
    "T = {mean} s{spread}, periods: {count}": "T = {mean} s{spread}、周期の数: {count}",
    "Plots": "グラフ",
    "Follow": "追いかける",
    "See the newest, whatever was zoomed": "拡大していても最新の部分を見る",
    "Maxima": "極大",
    "Mark the maxima of a quantity, and the time between them": "極大に印を付け、その間の時間を示す",
    "{count} quantities at once can be told apart; uncheck one first": (
        "同時に見分けられるのは {count} 個までです。先にどれかを外してください"
    ),
    "T: two maxima are needed": "T: 極大が二つ必要です",
    "{path} can't be written: {reason}": "{path} に書けません: {reason}",
    "Plot saved: {path}": "グラフを保存しました: {path}",
    "See the whole run": "全体を見る",
    "Export the data (CSV)": "データを書き出す (CSV)",
    "Export a picture (PNG)": "画像を書き出す (PNG)",
    "Export a drawing (SVG)": "図を書き出す (SVG)",
}
