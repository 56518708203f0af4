/** The sagas on instances, for code that starts them and need not know their steps. */
export const instanceSagas = {
  create: "instance-provision",
  networking: "instance-networking",
  restart: "instance-restart",
  reinstall: "instance-reinstall",
  repair: "instance-repair",
  delete: "instance-release",
} as const;
