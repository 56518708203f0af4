import { type Documentation, exampleId, ofTenant } from "../../kernel/request/documentation.ts";

export const documentation: Documentation = {
  meaning: "The work on an order, step by step.",
  groups: { public: "Order", private: "Provider" },
  answer: ofTenant("01a203c7-ef52-7500-ac83-8de3a9f078d9", {
    id: "01a203c7-ef52-7500-ac83-8de3a9f078d9",
    spec: { change: "CREATE", target: { kind: "cluster", id: exampleId, name: "demo" } },
    status: {
      state: "OPERATION_STATE_RUNNING",
      start_time: "2026-11-22T15:02:59.131Z",
      queued: false,
      steps: [
        {
          ...{ name: "ReserveCapacity", state: "SUCCEEDED", attempts: 1, system: "placement" },
          start_time: "2026-11-22T15:02:59.148Z",
          end_time: "2026-11-22T15:03:03.730Z",
        },
        {
          ...{ name: "CreateLayer2Network", state: "RUNNING", attempts: 1, system: "fabric" },
          start_time: "2026-11-22T15:03:03.730Z",
        },
      ],
      percent: 50,
      cancel_requested: false,
      resume_requested: false,
      waiting: [],
    },
  }),
  osacLacksIt: true,
};
