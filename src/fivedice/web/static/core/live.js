// The live stream of a table. The browser opens one again that broke; one that was turned away, by a limit or by a proxy
// whose server restarts, it gives up for good: that is asked for again here.

const PAUSE = 5000; // milliseconds

export function listen(address, heard) {
  let timer = 0;
  let stream = open();

  function open() {
    const fresh = new EventSource(address());
    for (const [name, hear] of Object.entries(heard)) fresh.addEventListener(name, hear);
    fresh.addEventListener("error", () => {
      if (fresh.readyState === EventSource.CLOSED) timer = setTimeout(() => { stream = open(); }, PAUSE);
    });
    return fresh;
  }

  addEventListener("pagehide", () => { clearTimeout(timer); stream.close(); });
}
