import type { Plugin } from "esbuild";

/**
 * Of undici a pool of connections and the fetch that uses it: its own entry also loads WebSocket, caches,
 * mocks, and agents of other kinds. Lambda's processors all run the faster of its two parsers.
 */
export const leanUndici: Plugin = {
  name: "lean-undici",
  setup({ initialOptions, onResolve, onLoad }) {
    // With this undici builds the fetch that is in Node: without an experimental third parser.
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

const parts = `
exports.Agent = require("undici/lib/dispatcher/agent.js");
exports.fetch = require("undici/lib/web/fetch/index.js").fetch;
`;
