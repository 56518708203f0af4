import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { arrive } from "./session/login.ts";
import "./style.css";

const root = document.getElementById("root");
if (!root) throw new Error("the page has no root");

// Before anything is drawn: the address still has what the issuer has sent.
const arrival = await arrive();
if (arrival.from !== "elsewhere") history.replaceState(null, "", arrival.place);

createRoot(root).render(
  <StrictMode>
    <App arrival={arrival} />
  </StrictMode>,
);
