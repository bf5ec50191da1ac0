/* Words of a Japanese query. The search finds the words of a text that begin with a word of the query, and a query has
   no spaces: its runs of kanji, of katakana and of Latin letters become words, without the hiragana between them. */
"use strict";
(() => {
  const QUERY = 2; // kind of a message to the worker that searches
  const WORDS = /[\p{Script=Han}々]+|[\p{Script=Katakana}ー]+|[\p{Script=Latin}\d_.-]+/gu;
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...others) {
    const words = message?.type === QUERY ? message.data.match(WORDS) : null;
    return post.call(this, words === null ? message : { ...message, data: words.join(" ") }, ...others);
  };
})();
