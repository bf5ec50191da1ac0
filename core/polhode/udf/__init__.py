r"""Files of PEM, the magnetic-pendulum simulator of the OCTA project: UDF 1.0 to 1.3.

UDF (user definable format) is a text with blocks; a schema gives the names, and the values follow in its order:

    \include {"pem1_3_def.udf"}
    \begin{header} \begin{data} EngineType:"pem" EngineVersion:"1.3" ... \end{data} \end{header}
    \begin{data}
    unitParameter:{1.0,1.0,1.0,1.0}
    body[]:[{0 [{{0.0,0.0,-0.1} 0.02,"sphere",{0.01} ...}] ...}]
    simulation:{{1000,10,0.001} ...}
    \end{data}
    \begin{record}{"#0"} \begin{data} simulationResult:{...} \end{data} \end{record}

From the text to the scene: tokenizer (encoding, words), schema (names and types of values), document (blocks), reading
(meaning, into the tables of a scene). Back: support_rules (what a PEM file can't hold), writing. Records are results of
PEM, for comparison: records, body_records. Differences between PEM's physics and that of this program: docs/pem.md.
"""
