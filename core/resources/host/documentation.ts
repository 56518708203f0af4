import { type Documentation, ofProvider } from "../../kernel/request/documentation.ts";

export const documentation: Documentation = {
  meaning: "Servers in the inventory.",
  groups: { private: "Provider" },
  example: {
    metadata: { name: "rack-1-01" },
    spec: {
      host_type: "fc430",
      hub: "hub-a",
      bmc: { address: "redfish://10.1.0.1/redfish/v1/Systems/1" },
      nics: [{ name: "eth0", mac: "52:54:00:12:34:56", switch: "leaf-1", port: "swp48" }],
    },
  },
  answer: ofProvider("fc430-b-02", {
    id: "0d0082d1-9f5a-5106-b720-0460f750b562",
    spec: {
      host_type: "fc430",
      hub: "hub-b",
      bmc: { address: "redfish-virtualmedia://192.168.2.12/redfish/v1/Systems/1" },
      nics: [{ name: "eno1", mac: "52:54:00:01:02:01", switch: "leaf-b1", port: "Ethernet1/2" }],
    },
    status: { state: "HOST_STATE_AVAILABLE" },
  }),
  osacLacksIt: true,
};
