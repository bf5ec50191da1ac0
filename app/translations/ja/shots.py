"""Pictures and films."""

TEXTS = {
    "&Film of the scene or recording...": "シーンや記録の動画を作る(&F)...",
    "Picture of any &size...": "大きさを選んで画像を保存(&S)...",
    "&Data of the plots (CSV)": "グラフのデータ (CSV)(&D)",
    "Nothing has been plotted yet. Let it run with the plots open, then export again": (
        "まだグラフに何も描かれていません。グラフを開いたまま動かしてから、もう一度書き出してください"
    ),
    "Open the folder": "フォルダーを開く",
    "No program here opens the folder {folder}": "フォルダー {folder} を開くプログラムがありません",
    "A film is being made already": "別の動画を作成中です",
    "Add this view": "この視点を追加",
    "Along keys": "キーに沿って",
    "As the view": "画面のまま",
    "Camera": "カメラ",
    "Choose...": "選ぶ...",
    "File": "ファイル",
    "Export a drawing (PDF)": "図を書き出す(PDF)",
    "Film": "動画",
    "Format": "形式",
    "Frames": "フレーム",
    "Once round": "一周する",
    "Other": "その他",
    "Picture": "画像",
    "Plots that are open": "表示中のグラフ",
    "The camera will be as it is now at this time of the film": "動画のこの時刻に、カメラは今の位置になります",
    "Time": "時間",
    "Transparent background": "背景を透明にする",
    "PNG, one by one": "PNG 連番",
    "Begins at": "始まり",
    "Ends at": "終わり",
    "Clock": "時刻",
    "Write into it": "書き込むもの",
    "Writing {time}, {left} left": "書き込み中 {time}、残り {left}",
    "{seconds} s of film, {frames} pictures, keys of the camera: {keys}": (
        "動画 {seconds} 秒、{frames} 枚、カメラのキー: {keys}"
    ),
}
