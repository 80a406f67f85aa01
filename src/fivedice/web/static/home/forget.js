// After somebody deleted their data: what our scripts keep in this browser goes too. It is deleted by its names, as a server
// below a path shares its host with others, for whom `Clear-Site-Data` would delete as well.

try {
  for (const name of Object.keys(localStorage)) if (/^fivedice[-:]/.test(name)) localStorage.removeItem(name);
} catch { /* not allowed here */ }
for (const name of ["fivedice-pad", "fivedice-coach"]) indexedDB.deleteDatabase(name);
if (isSecureContext) {
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker?.scope === new URL(".", location.href).href) await worker.unregister();
  for (const name of await caches.keys()) if (name.startsWith("fivedice-pad")) await caches.delete(name);
}

export {};
