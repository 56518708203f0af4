import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { arrive } from "./session/login.ts";
import "./style.css";

const root = document.getElementById("root");
if (!root) throw new Error("the page has no root element");

// Before anything is rendered, since the address still has the issuer's answer.
const arrival = await arrive();
if (arrival.from !== "elsewhere") history.replaceState(null, "", arrival.place);

createRoot(root).render(
  <StrictMode>
    <App arrival={arrival} />
  </StrictMode>,
);
