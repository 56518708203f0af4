import { type Documentation, ofProvider, referred } from "../../kernel/request/documentation.ts";

export const documentation: Documentation = {
  meaning: "The DPUs of hosts: computers on their network cards, which carry their packets.",
  groups: { private: "Provider" },
  example: {
    metadata: { name: "rack-1-02-dpu-0" },
    spec: {
      host: { name: "rack-1-02" },
      serial: "MT2334X00123",
      bmc: {
        address: "redfish://10.1.1.1/redfish/v1/Systems/Bluefield",
        username: "slipway",
        password: "a-secret",
      },
      ports: [{ name: "pf0hpf", host_mac: "52:54:00:12:34:57" }],
    },
  },
  answer: ofProvider("rack-1-02-dpu-0", {
    spec: {
      host: referred("rack-1-02"),
      serial: "MT2334X00123",
      bmc: { address: "redfish://10.1.1.1/redfish/v1/Systems/Bluefield" },
      ports: [{ name: "pf0hpf", host_mac: "52:54:00:12:34:57" }],
    },
    status: { state: "DPU_STATE_UNDISCOVERED" },
  }),
  osacLacksIt: true,
};
