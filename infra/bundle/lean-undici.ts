import type { Plugin } from "esbuild";

/**
 * Bundles only undici's pool of connections and the fetch that uses it: undici's own entry also loads
 * WebSocket, caches, mocks, and other kinds of agents. All of Lambda's processors run the faster of its
 * two parsers.
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
 * Named, so that a bundle that needs another part of undici is not built. The Kubernetes client names a ProxyAgent, which
 * our connections never ask it for.
 */
const parts = `
export { default as Agent } from "undici/lib/dispatcher/agent.js";
export { default as buildConnector } from "undici/lib/core/connect.js";
export const ProxyAgent = undefined;
export { fetch } from "undici/lib/web/fetch/index.js";
`;
