"""Other words for the commands of the palette: those that a person types who does not know their names."""

from __future__ import annotations

from pathlib import Path

from polhode.scene.scene import Scene
from polhode_app.i18n.field_names import scene_title
from polhode_app.i18n.language import in_all_languages

SEARCH_WORDS = {
    "play": "start run pause stop go 再生 停止",
    "reset": "restart rewind beginning はじめから 最初から 初期化 again もう一度",
    "take_picture": "screenshot photo image png snapshot 写真 スクリーンショット save",
    "picture_as": "picture png high resolution transparent 4k screenshot 写真 透明",
    "record": "film movie capture mp4 gif ビデオ 映画 録画 gif",
    "film_as": "film mp4 gif animation ビデオ 映画",
    "web_page": "html browser replay share gltf glb blender notebook ブラウザ",
    "plot_data": "table export spreadsheet excel エクセル 表計算",
    "tape": "save recording log data vtkhdf",
    "hand": "mouse drag pull つかむ 引く grab touch さわる",
    "let_go": "drop mouse",
    "fit": "zoom home reset camera 拡大 縮小",
    "fit_selection": "zoom focus",
    "parallel": "orthographic perspective",
    "settings": (
        "preferences options configuration 設定 memory font letters text size larger bigger graphics "
        "文字 大きく 文字を大きく"
    ),
    "scenes": "examples library built-in 例 見本 start page scenes シーン 例題",
    "save_as": "export file",
    "import_mesh": "stl obj ply glb 3mf 3d model shape 形 モデル",
    "tour": "introduction tutorial first steps help 使い方",
    "keys": "shortcuts keyboard help ショートカット 使い方 操作 ヘルプ",
    "explanations": "manual documentation help 使い方 説明 ヘルプ",
    "log": "errors warnings history",
    "modes": "eigenmodes vibration frequencies normal 固有振動 frequency normal modes",
    "equilibria": (
        "rest positions stable unstable stability saddle eigenvalues energy landscape contours 釣り合い 平衡点 静止"
    ),
    "sensor": "hand distance serial arduino センサー 手",
    "plots": (
        "graph chart curve diagram phase spectrum energy over time period frequency measure oscillation "
        "fourier fft spectrum poincare space portrait 周期 周波数 測る 位相 スペクトル エネルギー 運動量 "
        "角速度"
    ),
    "sizes": "vectors length scale",
    "clear": "select nothing",
    "join": "joint hinge connect",
    "handles": "move rotate gizmo 移動 回転",
    "faster": "speed up",
    "slower": "slow motion スローモーション",
    "tree": "list outline items",
    "inspector": "properties mass density size colour color values 質量 大きさ 値",
    "lost": "recover",
    "undo": "mistake 取り消し やり直す",
    "redo": "again",
    "run_table": "table export spreadsheet excel units columns エクセル 表計算 単位 measurements 記録",
    "open": "load 読み込み",
    "delete": "remove erase 消す",
    "measured": (
        "experiment import phyphox phone tracker 実験 スマートフォン csv data curve fitting smartphone fit "
        "データ 当てはめ 実験データ"
    ),
    "maps": "heat map sweep scan basins diagram parameter study 走査 分布",
    "story": "description 説明",
    "about": "version バージョン",
    "quit": "exit close 閉じる",
    "path": "draw track formula curve",
    "rename": "name 名前",
    "zoom_in": "larger closer 拡大",
    "zoom_out": "smaller farther 縮小",
}
"""Other words for actions, by their names."""

ADDED_WORDS = {
    "Cuboid": "box block brick slab 箱 板 ブロック",
    "Sphere": "ball 玉 ボール",
    "Floor": "ground slope ramp inclined plane 地面 斜面 坂 wall 壁",
    "Spring": "elastic rubber band string ゴム ひも 弾性",
    "Joint": "hinge axle ちょうつがい",
    "Lattice": "soft body jelly ゼリー",
    "Chain": "rope cord なわ",
    "Particle": "質点",
    "Bead on a path": "rail track wire roller coaster draw レール 線路",
    "Conducting plate": "metal copper eddy brake 金属板",
    "Ghost with another value": "compare friction parameter twin 比べる 比較",
    "Force by a formula": "push thrust law 力",
}
"""Other words for items to add, by their English names."""
SCENE_WORDS = {
    "break_shot": "billiard billiards pool snooker ビリヤード",
    "heavy_top": "spinning top コマ 独楽 歳差 章動 nutation 歳差運動",
    "sleeping_top": "spinning top コマ 独楽",
    "t_handle": "tennis racket intermediate axis dzhanibekov wing nut テニスラケット 中間軸",
    "polhode": "ellipsoid of inertia free rotation 慣性楕円体 自由回転",
    "gyroscope_in_gimbals": "spinning top ジャイロ",
    "foucault_pendulum": "earth rotation 地球の自転 コリオリ力 merry-go-round",
    "brachistochrone": "curve of fastest descent brachistochrone 最速降下線 race 競走 すべり台 滑り台",
    "isochronous_cycloids": "tautochrone clock 等時曲線",
    "course_1_oscillator": "harmonic oscillator 調和振動子 単振動",
    "two_masses": "coupled oscillators 連成振動 normal modes 固有振動",
    "coupled_needles": "coupled oscillators 連成振動",
    "pumped_swings": "resonance parametric playground ブランコ 共振",
    "driven_compass": "resonance chaotic 共振",
    "rolling_1_frictionless_slope": "inclined plane ramp ice 坂 斜面",
    "rolling_3_static_friction": "inclined plane ramp rolling without slipping 滑らずに転がる 坂 斜面 ビー玉 marble",
    "rolling_5_sliding_into_rolling": "bowling ボウリング",
    "rolling_7_air_and_rolling_resistance": "drag 空気抵抗",
    "rolling_10_two_spheres": "collision",
    "cradle_of_spheres": "collision momentum",
    "bouncing_ball": "collision restitution 反発係数 跳ねる 弾む",
    "jelly_magnet": "soft body 軟体",
    "jelly_by_modes": "soft body 軟体 normal modes",
    "cloth_on_ball": "soft body fabric 軟体",
    "compass": "羅針盤 コンパス",
    "seesaw": "lever てこ てこの原理",
    "trebuchet": "lever catapult てこ 投石機 てこの原理",
    "double_rod_pendulum": "chaotic chaos カオス",
    "chain_of_magnets": "levitation",
    "eddy_current_brake": "induction damping 誘導 渦電流",
    "slider_crank": "engine piston エンジン",
    "swinging_atwood": "pulley 滑車",
    "bicycle_wheel": "bike 自転車",
    "roller_coaster": "train 列車",
    "marionette": "puppet あやつり人形",
    "falling_duck": "アヒル drop",
}

VIEW_WORDS = {
    "field_lines": "magnetic field 磁場 磁界",
    "field_slice": "magnetic field 磁場 磁界",
    "inertia": "center of mass centre of mass principal axes ellipsoid 重心",
    "velocities": "speed 速さ",
    "sum_of_forces": "net resultant acceleration 合力 加速度",
    "tension": "stress 張力",
    "trails": "path trace 軌道",
    "ground": "grid 地面",
}
"""Other words for views that can be shown or hidden, by their names."""

THEME_WORDS = {"system": "system mode", "dark": "dark mode 暗い 黒", "light": "light mode bright 明るい 白"}
"""Words for themes, by their names."""


def scene_texts(path: Path, scene: Scene) -> tuple[str, str, str]:
    """Title of a built-in scene, other names and its description, the last two in all languages."""
    words = f"{path.stem} {scene.title} {SCENE_WORDS.get(path.stem, '')} {in_all_languages(scene.title)}"
    return scene_title(scene) or path.stem, words, in_all_languages(" ".join(scene.description.split()))
