"""The explanations, with the same formulas."""

TEXTS = {
    "Explanations": "解説",
    "&Explanations": "解説(&E)",
    "What is this?": "これは何ですか",
    "Why?": "なぜ?",
    "What does this number say?": "この数値の意味",
    "What the methods are, and how long a step may be": "解法の説明と、刻みの長さの限界",
    "Why a run blows up": "計算が発散する理由",
    "What the energy drift says": "エネルギーのずれの意味",
    "How long a step may be": "刻みの長さの限界",
    "Runge-Kutta 4": "ルンゲ・クッタ 4 次",
    "Dormand-Prince 8": "ドルマン・プリンス 8 次",
    "Splitting": "分割法",
    "Verlet": "ベルレ",
    "Implicit": "陰解法",
    "Semi-implicit Euler": "半陰的オイラー",
    "Adams-Bashforth 2": "アダムス・バッシュフォース 2 次",
    "Euler": "オイラー",
    "<p>A spring k on a mass m swings with ω = (k/m)<sup>1/2</sup>"
    ". An explicit method follows it only while ω Δt stays below a "
    "limit, about 2: beyond that every step overshoots by more than the one before, and the amplitude grows as "
    "g<sup>n</sup> with |g| > 1. A damper d adds its own limit, about Δt &lt; 2 m/d.</p>"
    "<p><b>What helps:</b> halve the step, until the number beside it is no longer marked; take a method with a "
    "higher limit; soften the hardest spring or damper; or take the implicit method, which has no limit.</p>"
    "<p>Without springs: magnets that nearly touch attract as 1/r<sup>4</sup>, which no step can follow. Give them "
    "a size, so that they meet before that.</p>": (
        "<p>質量 m につながったばね k は ω = (k/m)<sup>1/2</sup> で振動します。"
        "陽解法がこれを追えるのは ω Δt がおよそ 2 の限界より小さい"
        "間だけです。それを超えると、どのステップも前のステップより大きく行き過ぎ、"
        "振幅は |g| > 1 の g<sup>n</sup> で増えます。"
        "減衰 d にも Δt &lt; 2 m/d ほどの限界があります。</p>"
        "<p><b>対処:</b> 刻みの横の数値の印が消えるまで刻みを半分にする。"
        "限界の大きい解法を選ぶ。最も硬いばねや減衰を弱める。"
        "または限界のない陰解法を使う。</p>"
        "<p>ばねがない場合: 触れそうな磁石は 1/r<sup>4</sup> "
        "で引き合い、どんな刻みでも追えません。その前にぶつかるように"
        "大きさを与えてください。</p>"
    ),
    "<p>Energy comes and goes only by what the ledger lists: friction, drives, the world's field, dampers, air, "
    "hands. The drift is what is left:</p>"
    "<p align='center'>drift = (E − W − E<sub>0</sub>) / E<sub>exchanged</sub></p>"
    "<p>E is the total energy, W the ledger's sum, E<sub>0</sub> what it was at the start, and "
    "E<sub>exchanged</sub> the largest energy that went to and fro. It is the error of the method alone.</p>"
    "<p>Below 1e−6 nobody sees it. Growing steadily: the step is too long for this method. Swinging, but not "
    "growing: a symplectic method (verlet, splitting, semi-implicit Euler), which is good for long runs. With the "
    "implicit method it is negative: it lets fast swings die away.</p>": (
        "<p>エネルギーの出入りは収支に挙がるものだけです。摩擦、"
        "駆動、外部の磁場、減衰、空気、手。残りがずれです。</p>"
        "<p align='center'>ずれ = (E − W − E<sub>0</sub>) / E<sub>exchanged</sub></p>"
        "<p>E は全エネルギー、W は収支の合計、E<sub>0</sub> は開始時の値、E<sub>exchanged</sub> は行き来した最大の"
        "エネルギーです。これは解法だけの誤差です。</p>"
        "<p>1e−6 より小さければ目には見えません。増え続けるなら、"
        "この解法には刻みが長すぎます。揺れるだけで増えないなら、"
        "シンプレクティックな解法(ベルレ、分割法、"
        "半陰的オイラー)で、長い計算に向きます。陰解法では負になります。"
        "速い振動を減衰させるためです。</p>"
    ),
    "<p>The number beside the step is the largest that is stable. It is estimated from the fastest swing ω and the "
    "fastest decay a of the scene as it stands: Δt ≤ c / ω and Δt ≤ c' / a, where c and c' belong to the method."
    "</p><p>Stable is not yet accurate: for an error of a part in a thousand per swing, stay ten times below it."
    "</p>": (
        "<p>刻みの横の数値は安定な最大の刻みです。今のシーンの最も速い振動 ω と最も速い減衰 a から見積もります。"
        "Δt ≤ c / ω かつ Δt ≤ c' / a で、c と c' は解法によります。</p>"
        "<p>安定でも正確とは限りません。1 振動あたり 1000 分の "
        "1 の誤差にするには、その 10 分の 1 にしてください。</p>"
    ),
    "<p>The usual one. Four looks at the rate f per step, at its beginning, twice in its middle, and at its end:"
    "</p><p align='center'>y<sub>n+1</sub> = y<sub>n</sub> + Δt/6 (k<sub>1</sub> + 2k<sub>2</sub> + 2k<sub>3</sub> "
    "+ k<sub>4</sub>)</p>"
    "<p>Order 4: half the step, a sixteenth of the error. Stable up to ω Δt = 2.83. It loses a little energy, as "
    "(ω Δt)<sup>6</sup>/72 of a swing's per step.</p>": (
        "<p>標準の解法です。1 ステップに変化率 f を 4 回、始めに 1 回、中ほどで 2 回、終わりに 1 回計算します。</p>"
        "<p align='center'>y<sub>n+1</sub> = y<sub>n</sub> + Δt/6 (k<sub>1</sub> + 2k<sub>2</sub> + 2k<sub>3</sub> "
        "+ k<sub>4</sub>)</p>"
        "<p>4 次: 刻みを半分にすると誤差は 16 分の 1。ω Δt = 2.83 まで安定。1 ステップに振動のエネルギーの "
        "(ω Δt)<sup>6</sup>/72 を失います。</p>"
    ),
    "<p>Twelve looks at the rate per step, combined so that "
    "all errors up to order 8 cancel: half the step, a 256th "
    "of the error. For smooth motions that are to be right to a billionth. Where something bumps, it is no better "
    "than the others.</p>": (
        "<p>1 ステップに変化率を 12 回計算し、8 "
        "次までの誤差が消えるように組み合わせます。刻みを半分にすると誤差は 256 分の 1。"
        "なめらかな運動を 10 億分の 1 まで正しく求めたいときに使います。"
        "衝突するものには他の解法と変わりません。</p>"
    ),
    "<p>Turns a body about its principal axes one after the other, each turn exact, between two half kicks by the "
    "torques:</p><p align='center'>½ kick · R<sub>1</sub> "
    "R<sub>2</sub> R<sub>3</sub> R<sub>2</sub> R<sub>1</sub> · "
    "½ kick</p><p>Order 2. The length of the angular momentum is kept to the last digit, and the energy of a free "
    "top swings a little but never drifts: for tops that are to turn for hours.</p>": (
        "<p>力のモーメントによる二つの半キックの間に、物体を主軸のまわりに順に、それぞれ厳密に回します。</p>"
        "<p align='center'>½ キック · R<sub>1</sub> R<sub>2</sub>"
        " R<sub>3</sub> R<sub>2</sub> R<sub>1</sub> · ½ キック</p>"
        "<p>2 次。角運動量の大きさは最後の桁まで保たれ、自由なこまのエネルギーはわずかに揺れるだけでずれません。"
        "何時間も回るこまに向きます。</p>"
    ),
    "<p>Half a kick, a drift, half a kick:</p><p align='center'>v += a Δt/2, &nbsp; x += v Δt, &nbsp; v += a Δt/2"
    "</p><p>Order 2, one look at the forces per step, symplectic: it follows exactly an energy that is next to the "
    "true one by (ω Δt)<sup>2</sup>, so nothing drifts. Stable up to ω Δt = 2. The choice for many points on "
    "springs.</p>": (
        "<p>半キック、移動、半キック:</p><p align='center'>v += a Δt/2, &nbsp; x += v Δt, &nbsp; v += a Δt/2</p>"
        "<p>2 次、力の計算は 1 ステップに 1 回、シンプレクティック。"
        "本当の値と (ω Δt)<sup>2</sup> ほどしか違わないエネルギーを"
        "厳密に保つので、ずれません。ω Δt = 2 まで安定。ばねでつながった多くの質点に向きます。</p>"
    ),
    "<p>Looks for rates that agree with the state to which they lead:</p><p align='center'>K = f(t, y + c Δt K)</p>"
    "<p>Alexander's method of two stages, order 2. Stable at any step. What is slower than the step it follows, "
    "what is faster it lets die away, even without a damper: per step a swing loses 0.0037 (ω Δt)<sup>4</sup> of "
    "its amplitude. Each step takes tens to hundreds of looks at the forces.</p>": (
        "<p>行き着く先の状態と矛盾しない変化率を探します。</p><p align='center'>K = f(t, y + c Δt K)</p>"
        "<p>アレクサンダーの 2 段の方法、2 次。どの刻みでも安定です。"
        "刻みより遅いものは追い、速いものは減衰がなくても消えます。"
        "1 ステップに振動は振幅の 0.0037 (ω Δt)<sup>4</sup> "
        "を失います。力の計算は 1 ステップに数十から数百回です。</p>"
    ),
    "<p>Momenta first, then places with the new momenta:</p><p align='center'>v += a(x) Δt, &nbsp; x += v Δt</p>"
    "<p>Order 1, yet symplectic: the energy swings by about ω Δt/2 of itself, but does not drift. Stable up to "
    "ω Δt = 2.</p>": (
        "<p>まず運動量、次に新しい運動量で位置:</p><p align='center'>v += a(x) Δt, &nbsp; x += v Δt</p>"
        "<p>1 次ですがシンプレクティックで、エネルギーは ω Δt/2 "
        "ほどの割合で揺れるだけでずれません。ω Δt = 2 まで安定。</p>"
    ),
    "<p>Goes along the last two rates, with one new look per step:</p>"
    "<p align='center'>y<sub>n+1</sub> = y<sub>n</sub> + Δt (3 f<sub>n</sub> − f<sub>n−1</sub>) / 2</p>"
    "<p>Order 2. An undamped swing grows slowly at any step, by (ω Δt)<sup>4</sup>/4 per step; a little damping "
    "hides that. The method of the course's programs.</p>": (
        "<p>最後の二つの変化率に沿って進みます。新しい計算は 1 ステップに 1 回です。</p>"
        "<p align='center'>y<sub>n+1</sub> = y<sub>n</sub> + Δt (3 f<sub>n</sub> − f<sub>n−1</sub>) / 2</p>"
        "<p>2 次。減衰のない振動はどの刻みでもゆっくり増え、1 "
        "ステップに (ω Δt)<sup>4</sup>/4 です。少しの減衰で隠れます。"
        "授業のプログラムの方法です。</p>"
    ),
    "<p>Along the rate at the start of the step:</p><p align='center'>y<sub>n+1</sub> = y<sub>n</sub> + Δt "
    "f<sub>n</sub></p><p>Order 1. Every undamped swing grows, at any step: its amplitude by (1 + (ω Δt)"
    "<sup>2</sup>)<sup>1/2</sup> per step. It is here to be seen going wrong.</p>": (
        "<p>ステップの始めの変化率に沿って進みます。</p><p align='center'>y<sub>n+1</sub> = y<sub>n</sub> + Δt "
        "f<sub>n</sub></p><p>1 次。減衰のない振動はどの刻みでも増え、"
        "振幅は 1 ステップに (1 + (ω Δt)<sup>2</sup>)<sup>1/2</sup> 倍に"
        "なります。うまくいかない様子を見るためにあります。</p>"
    ),
}
