// What older versions left in localStorage, as changes of the sheets that are kept now. Fetched only where there is
// some.

/** @typedef {import("./state.js").Sheet} Sheet */
/** @typedef {Record<string, any>} Parts of one sheet, or of the device, by their names */

const NAME = /^fivedice-pad\/(.+)\/(queue|typed|rules|list|mode)$/;

/** Read all of it: the names that can be removed once it is kept, and what is to be kept. */
export function readOldStorage() {
  const names = Object.keys(localStorage).filter((name) => NAME.test(name));
  const parts = readParts(names);
  /** @type {{ ids: string[], change: import("./store.js").Change }[]} */
  const changes = findSheets(parts).map((sheet) => ({ ids: [sheet.id], change: ([now]) => [addTo(now, sheet)] }));
  const rules = changes.flatMap(({ ids: [id] }) => parts.get(id)?.rules ?? []);
  return { names, changes, rules, mode: parts.get("device")?.mode };
}

/** @param {string[]} names */
function readParts(names) {
  /** @type {Map<string, Parts>} */
  const found = new Map();
  for (const name of names) {
    const [, id, part] = NAME.exec(name) ?? [];
    try {
      found.set(id, { ...found.get(id), [part]: JSON.parse(localStorage.getItem(name) ?? "null") ?? undefined });
    } catch { /* not ours */ }
  }
  return found;
}

/** @param {Map<string, Parts>} parts @returns {Sheet[]} those with something written or set up */
function findSheets(parts) {
  /** @type {{ id: string, setUp: any, opened: string }[]} */
  const local = parts.get("sheets")?.list ?? [];
  const ids = new Set([...local.map(({ id }) => id), ...parts.keys()]);
  return [...ids].flatMap((id) => {
    const { queue = [], typed = null, rules = null } = parts.get(id) ?? {};
    const { setUp, opened } = local.find((each) => each.id === id) ?? {};
    if (!setUp && !queue.length && !typed) return [];
    const sheet = { id, base: null, queue, typed, rules: rules?.link ?? setUp?.rules ?? "" };
    return [setUp ? { ...sheet, setUp, opened } : sheet];
  });
}

/** @param {Sheet | null} now @param {Sheet} old @returns {Sheet} */
function addTo(now, old) {
  const keys = new Set(now?.queue.map(({ op }) => op.key));
  const queue = [...now?.queue ?? [], ...old.queue.filter(({ op }) => !keys.has(op.key))];
  return { ...old, ...now, queue, typed: now?.typed ?? old.typed };
}
