// Begins when the page is loaded.

/** The player of a page: where the engine is missing, or the browser can't run it, that of the kept moments. */
async function playerOf(content, arrays) {
  if (!content.live) return new Player(content, arrays);
  let reason = "no_kernels";
  if (runsKernels()) {
    try {
      return await LivePlayer.of(content, arrays);
    } catch (error) {
      console.error(error);
      reason = "no_engine";
    }
  }
  const player = new Player(content, arrays);
  byId("status").textContent = player.controls.texts[reason];
  return player;
}

async function begin() {
  const content = JSON.parse(byId("data").textContent);
  const { texts } = content.languages[wantedLanguage(content)];
  const notice = byId("notice");
  notice.textContent = texts.loading;
  if (typeof DecompressionStream === "undefined") {
    notice.textContent = texts.too_old;
    return;
  }
  const arrays = new Arrays(content.arrays, await unpacked(byId("blob").textContent));
  byId("blob").textContent = "";
  let player;
  try {
    player = await playerOf(content, arrays);
  } catch (error) {
    const hasGraphics = document.createElement("canvas").getContext("webgl2") !== null;
    notice.textContent = hasGraphics ? String(error) : texts.no_graphics;
    throw error;
  }
  notice.textContent = "";
  window.polhode = player; // for tests, and for those who look into the page
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) player.play(true);
}

begin();
