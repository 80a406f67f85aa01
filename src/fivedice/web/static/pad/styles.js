// Styles that a page needs later than its others: for what is folded up, and for paper.

/**
 * @param {string} name below the folder of all scripts and styles
 * @param {string} [media]
 */
export function addStyle(name, media = "all") {
  const link = document.createElement("link");
  Object.assign(link, { rel: "stylesheet", href: new URL(`../${name}`, import.meta.url).href, media });
  document.head.append(link);
}
