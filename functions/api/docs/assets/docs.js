/** What the reference does beyond showing: it marks where one is, copies commands, and tries operations. */

for (const link of document.querySelectorAll("nav a"))
  if (new URL(link.href).pathname === location.pathname.replace(/(.)\/$/, "$1"))
    link.setAttribute("aria-current", "page");

for (const sample of document.querySelectorAll(".sample")) {
  const button = document.createElement("button");
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", () => void copy(sample, button));
  sample.append(button);
}

async function copy(sample, button) {
  await navigator.clipboard.writeText(sample.querySelector("code").textContent);
  button.textContent = "Copied";
  setTimeout(() => {
    button.textContent = "Copy";
  }, 2000);
}

// For this tab only, and from page to page.
const token = document.querySelector("#token");
token.value = sessionStorage.getItem("token") ?? "";
token.addEventListener("input", () => sessionStorage.setItem("token", token.value.trim()));

for (const hidden of document.querySelectorAll(".token, .try")) hidden.hidden = false;

for (const form of document.querySelectorAll(".try form"))
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(form);
  });

async function send(form) {
  const output = form.querySelector("output");
  const button = form.querySelector("button");
  output.textContent = "…";
  button.disabled = true;
  try {
    const { url, init } = requestIn(form);
    const response = await fetch(url, init);
    output.textContent = await told(response);
  } catch (error) {
    output.textContent = `It could not be sent: ${error.message}`;
  } finally {
    button.disabled = false;
  }
}

function requestIn(form) {
  const { method } = form.dataset;
  let { path } = form.dataset;
  const headers = new Headers();
  const query = new URLSearchParams();
  if (token.value.trim() !== "") headers.set("Authorization", `Bearer ${token.value.trim()}`);
  for (const { name, value, dataset } of form.querySelectorAll("input")) {
    if (value === "") continue;
    if (dataset.in === "path") path = path.replace(`{${name}}`, () => encodeURIComponent(value));
    else if (dataset.in === "header") headers.set(name, value);
    else query.set(name, value);
  }
  const body = form.querySelector("textarea")?.value;
  if (body !== undefined) headers.set("Content-Type", "application/json");
  const url = query.size > 0 ? `${path}?${query}` : path;
  return { url, init: { method, headers, body, credentials: "omit" } };
}

/** Headers that say more than the body. */
const shown = [
  ...["etag", "operation-location", "retry-after", "idempotent-replayed"],
  ...["last-event-id", "ratelimit", "x-request-id"],
];

async function told(response) {
  const text = await response.text();
  const headers = shown.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [`${name}: ${value}`];
  });
  return [`${response.status} ${response.statusText}`, ...headers, "", pretty(text)].join("\n");
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
