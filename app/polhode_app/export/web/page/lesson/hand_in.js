// The hand-in: two lines of JSON, as core/polhode/lessons has them.

/** Base64 of the bytes of floats. */
function base64Of(numbers) {
  const bytes = new Uint8Array(Float64Array.from(numbers).buffer);
  let binary = "";
  for (let k = 0; k < bytes.length; k += 8192) binary += String.fromCharCode(...bytes.subarray(k, k + 8192));
  return btoa(binary);
}

/** Floats whose `base64Of` a text is. */
function doublesOf(text) {
  return new Float64Array(Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0)).buffer);
}

/** The text of the hand-in of a progress. about: version, scene, lesson and title; isNamed: with the name. */
function handIn(progress, about, isNamed) {
  const { name, variant, answers, runs } = progress;
  const second = JSON.stringify({
    version: about.version,
    made_by: "page",
    scene: about.scene,
    lesson: about.lesson,
    title: about.title,
    name: isNamed ? name : "",
    variant,
    answers,
    runs: runs.map(({ step, values, until, stride, steps, checkpoints }) => ({
      ...{ step, values, until, stride, steps, checkpoints },
      arrays: null,
    })),
  });
  const first = JSON.stringify({ polhode: "hand-in", format: 1, sha256: sha256(new TextEncoder().encode(second)) });
  return `${first}\n${second}\n`;
}

/** Name of the file of a hand-in: without signs that file systems refuse. */
function handInFile(name) {
  const plain = name.replace(/[\\/:*?"<>|]/g, "_").replace(/^\.+|[. ]+$/g, "");
  return `${[...(plain || "anonymous")].slice(0, 80).join("")}.handin`;
}

/** Let the browser save a text as a file. */
function download(text, name) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/octet-stream" }));
  const link = element("a", "");
  Object.assign(link, { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
