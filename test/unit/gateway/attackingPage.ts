// A web page that tries each way to send something to a port of this machine, and to read what comes back.

/** Its HTML. `attack({ base, token })` resolves to the names of its attempts, with the text that the page could read. */
export const attackingPage = `<!doctype html><html><body><script>
const ask = JSON.stringify({ model: "echo", messages: [{ role: "user", content: "Pay for this." }] });
const forms = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"];

function attempts({ base, token }) {
  const bearer = { authorization: "Bearer " + token };
  const json = { "content-type": "application/json" };
  const inQuery = "&api_key=" + token + "&access_token=" + token;
  const inBody = ask.slice(0, -1) + ',"api_key":"' + token + '"}';
  const chat = (name) => base + "/v1/chat/completions?by=" + name + inQuery;
  const models = (name) => base + "/v1/models?by=" + name + inQuery;
  const read = async (url, init) => (await fetch(url, init)).text();
  const post = (more) => ({ method: "POST", body: inBody, ...more });
  const inFrame = (html) => (name) => new Promise((resolve) => {
    const frame = document.createElement("iframe");
    frame.sandbox = "allow-scripts allow-forms";
    addEventListener("message", ({ source, data }) => source === frame.contentWindow && resolve(data));
    frame.srcdoc = html(name);
    document.body.append(frame);
  });
  const all = {
    get: (name) => read(models(name)),
    getWithCookies: (name) => read(models(name), { credentials: "include" }),
    getNoCors: (name) => read(models(name), { mode: "no-cors", referrerPolicy: "no-referrer" }),
    getBearer: (name) => read(models(name), { headers: bearer }),
    getApiKey: (name) => read(models(name), { headers: { "x-api-key": token } }),
    json: (name) => read(chat(name), post({ headers: { ...bearer, ...json } })),
    jsonAgain: (name) => read(chat(name), post({ headers: { ...bearer, ...json } })),
    jsonOfBlob: (name) => read(chat(name), post({ body: new Blob([inBody], { type: "application/json" }) })),
    keptAlive: (name) => read(chat(name), post({ mode: "no-cors", keepalive: true })),
    redirected: (name) => read("/redirect?to=" + encodeURIComponent(chat(name)), post({ headers: json })),
    request: (name) => new Promise((resolve) => {
      const sent = new XMLHttpRequest();
      sent.onloadend = () => resolve(sent.responseText);
      sent.open("POST", chat(name));
      sent.send(inBody);
    }),
    events: (name) => new Promise((resolve) => {
      const source = new EventSource(models(name));
      source.onmessage = ({ data }) => resolve(data);
      source.onerror = () => { source.close(); resolve(); };
    }),
    socket: (name) => new Promise((resolve) => {
      const socket = new WebSocket(chat(name).replace(/^http/, "ws"), ["json", token]);
      socket.onopen = () => resolve("open");
      socket.onclose = () => resolve();
    }),
    beacon: async (name) => void navigator.sendBeacon(chat(name), inBody),
    beaconOfBlob: async (name) =>
      void navigator.sendBeacon(chat(name), new Blob([inBody], { type: "text/plain" })),
    module: async (name) => JSON.stringify(await import(models(name))),
    worker: (name) => new Promise((resolve) => {
      const code = "try { importScripts('" + models(name) + "'); postMessage('ran'); } catch { postMessage(''); }";
      new Worker(URL.createObjectURL(new Blob([code]))).onmessage = ({ data }) => resolve(data);
    }),
    sandboxed: inFrame((name) => "<script>fetch('" + chat(name) + "', { method: 'POST', body: JSON.stringify(" +
      JSON.stringify(ask) + ") }).then((got) => got.text()).catch(() => undefined).then((text) => " +
      "parent.postMessage(text, '*'))</" + "script>"),
    popup: (name) => new Promise((resolve) => {
      const opened = open(models(name));
      const look = () => {
        try { if (opened.location.href === "about:blank") return setTimeout(look); } catch { return resolve(); }
        resolve(opened.document.body.innerText);
      };
      look();
    }),
  };
  for (const type of forms) {
    all["noCors " + type] = (name) =>
      read(chat(name), post({ mode: "no-cors", headers: { "content-type": type } }));
    all["cors " + type] = (name) => read(chat(name), post({ headers: { "content-type": type } }));
    for (const by of ["form", "redirectedForm"]) all[by + " " + type] = (name) => new Promise((resolve) => {
      const frame = document.createElement("iframe");
      frame.name = name;
      document.body.append(frame);
      const form = document.createElement("form");
      const to = by === "form" ? chat(name) : "/redirect?to=" + encodeURIComponent(chat(name));
      Object.assign(form, { method: "post", enctype: type, target: name, action: to });
      const field = document.createElement("input");
      // With text/plain the body is "name=value", which can be JSON.
      Object.assign(field, { name: inBody.slice(0, -1) + ',"a":"', value: '"}' });
      form.append(field);
      document.body.append(form);
      frame.onload = () => resolve(textOf(frame));
      form.submit();
    });
  }
  for (const [tag, address] of [["img", "src"], ["script", "src"], ["iframe", "src"], ["link", "href"], ["video", "src"], ["object", "data"]])
    all[tag] = (name) => new Promise((resolve) => {
      const element = document.createElement(tag);
      if (tag === "link") element.rel = "stylesheet";
      element.referrerPolicy = "no-referrer";
      element.onload = () => resolve(tag === "iframe" || tag === "object" ? textOf(element) : undefined);
      element.onerror = () => resolve();
      element[address] = models(name);
      document.body.append(element);
    });
  if (navigator.serviceWorker) all.serviceWorker = async (name) => {
    await navigator.serviceWorker.register("/worker.js");
    const { active } = await navigator.serviceWorker.ready;
    const { port1, port2 } = new MessageChannel();
    active.postMessage({ url: chat(name), init: post({ headers: { ...bearer, ...json } }) }, [port2]);
    return new Promise((resolve) => { port1.onmessage = ({ data }) => resolve(data); });
  };
  return all;
}

function textOf(frame) {
  try { return frame.contentDocument?.body.innerText; } catch { return undefined; }
}

async function attack(given) {
  const seen = {};
  const names = Object.entries(attempts(given));
  for (const [name, run] of names) seen[name] = (await run(encodeURIComponent(name)).catch(() => undefined)) ?? "";
  return seen;
}
</script></body></html>`;

/** Sends what the page tells it. */
export const attackingWorker = `
addEventListener("install", () => skipWaiting());
addEventListener("message", ({ data: { url, init }, ports: [port] }) =>
  fetch(url, init).then((got) => got.text()).catch(() => undefined).then((text) => port.postMessage(text)));`;
