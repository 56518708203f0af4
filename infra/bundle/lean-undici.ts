import type { Plugin } from "esbuild";

/**
 * Bundles only undici's connection pool and its fetch; undici's own entry also loads WebSocket, caches, mocks and
 * other agents. Of undici's two parsers it has the faster one, which all of Lambda's processors support.
 */
export const leanUndici: Plugin = {
  name: "lean-undici",
  setup({ initialOptions, onResolve, onLoad }) {
    // With this definition undici builds the same fetch as Node's: without an experimental third
    // parser.
    initialOptions.define = { ...initialOptions.define, esbuildDetection: "1" };
    onResolve({ filter: /^undici$/ }, ({ path }) => ({ path, namespace: "lean-undici" }));
    onLoad({ filter: /./, namespace: "lean-undici" }, () => ({
      contents: parts,
      resolveDir: import.meta.dirname,
    }));
    onLoad({ filter: /[\\/]undici[\\/]lib[\\/]llhttp[\\/]llhttp-wasm\.js$/ }, () => ({
      contents: "module.exports = undefined;",
    }));
  },
};

/**
 * Lists undici's parts by name, so that a bundle that needs another one fails. The Kubernetes client imports
 * ProxyAgent, which our connections never use.
 */
const parts = `
export { default as Agent } from "undici/lib/dispatcher/agent.js";
export { default as buildConnector } from "undici/lib/core/connect.js";
export const ProxyAgent = undefined;
export { fetch } from "undici/lib/web/fetch/index.js";
`;
