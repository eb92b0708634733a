/** A page that shows the picture of a tool's result, as an MCP App (SEP-1865, 2026-01-26). It requests nothing. */
const uri = "ui://inference-workbench/picture.html";
const mimeType = "text/html;profile=mcp-app";

// The host sends the result by postMessage. Text is set as text, never as HTML.
const script = `
const send = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
const show = ({ content = [], isError }) => {
  const main = document.querySelector("main");
  main.replaceChildren(...content.flatMap(({ type, data, mimeType, text }) => {
    if (type === "image" && /^image\\/(png|jpeg|webp)$/.test(mimeType)) {
      const image = new Image();
      image.src = "data:" + mimeType + ";base64," + data;
      image.alt = "Generated picture";
      image.onload = size;
      return [image];
    }
    if (type !== "text") return [];
    const line = document.createElement("p");
    line.textContent = text;
    if (isError) line.setAttribute("role", "alert");
    return [line];
  }));
  size();
};
const size = () => send({
  method: "ui/notifications/size-changed",
  params: { width: document.documentElement.scrollWidth, height: document.body.offsetHeight },
});
addEventListener("message", ({ source, data }) => {
  if (source !== parent || data?.jsonrpc !== "2.0") return;
  if (data.id === 1 && data.result) {
    document.documentElement.style.colorScheme = data.result.hostContext?.theme ?? "light dark";
    send({ method: "ui/notifications/initialized", params: {} });
    size();
  } else if (data.method === "ui/notifications/host-context-changed") {
    if (data.params?.theme) document.documentElement.style.colorScheme = data.params.theme;
  } else if (data.method === "ui/notifications/tool-result") show(data.params ?? {});
  else if (data.method === "ui/resource-teardown") send({ id: data.id, result: {} });
  else if (data.method === "ping") send({ id: data.id, result: {} });
});
send({ id: 1, method: "ui/initialize", params: {
  protocolVersion: "2026-01-26",
  appInfo: { name: "inference-workbench-picture", version: "1" },
  appCapabilities: {},
} });`;

const text = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Picture</title>
<style>
:root { color-scheme: light dark; }
body { margin: 0; font: 13px/1.4 system-ui, sans-serif; color: CanvasText; overflow-wrap: anywhere; }
img { display: block; max-width: 100%; height: auto; }
p { margin: 8px; white-space: pre-wrap; }
</style>
<main><p>The picture appears here.</p></main>
<script type="module">${script}
</script>
</html>
`;

export const pictureApp = {
  resource: { uri, name: "Generated picture", mimeType },
  content: { uri, mimeType, text, _meta: { ui: { prefersBorder: false } } },
  /** `ui/resourceUri` is the name of the same member before the final specification. */
  toolMeta: { ui: { resourceUri: uri }, "ui/resourceUri": uri },
} as const;
