/** The sagas on DPUs, for code that starts them and need not know their steps. */
export const dpuSagas = { provision: "dpu-provision" } as const;
