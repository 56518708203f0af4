/// <reference path="./.sst/platform/config.d.ts" />

// The stack is in `infra/`; here are only the settings that SST reads first. SST allows no import at the top.
export default $config({
  async app({ stage }) {
    const { readParameters } = await import("./infra/parameters.ts");
    const isProtected = readParameters(stage).protected;
    return {
      name: "slipway",
      home: "aws",
      version: "4.17.1",
      removal: isProtected ? "retain" : "remove",
      protect: isProtected,
    };
  },
  async run() {
    const { deploy } = await import("./infra/stack/index.ts");
    return deploy();
  },
});
