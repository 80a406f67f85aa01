// Lists as people say them.

/** @param {string[]} items */
export const listed = (items) => new Intl.ListFormat(document.documentElement.lang, { type: "conjunction" }).format(items);
