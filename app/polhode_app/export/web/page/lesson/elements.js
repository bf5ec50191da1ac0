// Elements and texts of the panel of a lesson.

/** A button with a text. */
function lessonButton(text, act, className = "") {
  const made = element("button", `wide ${className}`.trim(), text);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

/** A choice among texts. */
function lessonChoice(labels, chosen, act, isLocked = false) {
  const boxes = labels.map((label, k) => {
    const box = element("input", "");
    Object.assign(box, { type: "radio", name: "lesson-choice", id: `lesson-choice-${k}`, checked: k === chosen, disabled: isLocked });
    box.addEventListener("change", () => act(k));
    return element("label", "choice", box, element("span", "", label));
  });
  const made = element("div", "choices", ...boxes);
  made.setAttribute("role", "radiogroup");
  return made;
}

/** A text with values in place of the names in braces. */
function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

/** The paragraphs of a text. */
function paragraphs(text) {
  return text.split(/\n\s*\n/).map((part) => element("p", "", part.replace(/\s*\n\s*/g, " ").trim()));
}
