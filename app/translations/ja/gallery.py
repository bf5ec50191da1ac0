"""The gallery and the camera."""

TEXTS = {
    "&Gallery of scenes...": "シーンのギャラリー(&G)...",
    "Gallery": "ギャラリー",
    "Open": "開く",
    "Search scenes": "シーンを探す",
    "All": "すべて",
    "Nothing found": "見つかりません",
    "Driven by a hand": "手で動かす",
    "Beads on paths": "経路上のビーズ",
    "Soft bodies": "柔らかい物体",
    "Magnets": "磁石",
    "Spheres": "球",
    "Tops and pendulums": "こまと振り子",
    "Springs and points": "ばねと質点",
    "Follo&w what is chosen": "選んだものを追う(&W)",
    "&Keep this view in the scene": "この視点をシーンに残す(&K)",
    "Choose the part to follow first": "先に追うものを選んでください",
    "The camera follows {name}": "カメラが {name} を追います",
    "This view is kept in the scene; save it to see it again": (
        "視点をシーンに残しました。保存すると次も同じ視点で開きます"
    ),
}
