import { describe, expect, it } from "vitest";
import { answering } from "./fixture.ts";

describe("what a task's path answers", () => {
  const message = (MessageId: string, Severity?: string) => ({
    ...{ MessageId, Message: `this is ${MessageId}`, MessageArgs: [] },
    ...(Severity && { Severity }),
  });
  const info = (...messages: object[]) => ({ "@Message.ExtendedInfo": messages });
  const fault = (code: string, ...messages: object[]) => ({
    error: { code, message: `this is ${code}`, ...(messages.length > 0 && info(...messages)) },
  });
  const completed = (...Messages: object[]) => ({
    ...{ "@odata.id": "/t/5", TaskState: "Completed", TaskStatus: "OK" },
    Messages,
  });
  const observed = async (body: unknown, status = 200) => {
    const text = body === "" ? null : JSON.stringify(body);
    const { server, run } = answering((_, at) =>
      at === "/t/5" ? new Response(text, { status }) : undefined,
    );
    return (await run(server.observe("/t/5"))).task;
  };

  it.each<[string, unknown, string]>([
    ["nothing", "", "done"],
    [
      "a success, as HPE says it",
      fault("iLO.0.10.ExtendedInfo", message("Base.1.4.Success")),
      "done",
    ],
    [
      "a success, as Dell says it",
      info(message("Base.1.7.Success", "OK"), message("IDRAC.2.8.SYS413", "OK")),
      "done",
    ],
    ["a success by its code", fault("Base.1.0.Success"), "done"],
    [
      "a success with a warning",
      info(message("Base.1.8.Success", "OK"), message("Base.1.8.PropertyDeprecated", "Warning")),
      "done",
    ],
    [
      "a success, as Supermicro says it",
      { Success: { code: "Base.v1_4_0.Success", Message: "Successfully Completed Request." } },
      "done",
    ],
    ["a success in passing", info(message("Base.1.0.NoOperation", "Warning")), "gone"],
    ["a later success", info(message("Base.1.18.Created", "OK")), "done"],
    ["an error without messages", fault("Base.1.0.GeneralError"), "failed"],
    [
      "an error",
      fault("Base.1.0.GeneralError", message("Base.1.0.InternalError", "Critical")),
      "failed",
    ],
    [
      "an error of no severity",
      fault("Base.1.0.GeneralError", message("Base.1.0.InternalError")),
      "failed",
    ],
    [
      "an error beside a success",
      info(message("Base.1.0.Success", "OK"), message("X.1.0.Bad", "Critical")),
      "failed",
    ],
    ["an error by messages alone", info(message("Base.1.0.GeneralError")), "failed"],
    [
      "an error of the next severity",
      info({ ...message("X.1.0.Bad"), MessageSeverity: "Critical" }),
      "failed",
    ],
    ["an error that says nothing", { error: {} }, "failed"],
    ["an error that is text", { error: "erase failed" }, "failed"],
    ["a warning alone", info(message("Base.1.0.PropertyNotWriteable", "Warning")), "gone"],
    ["a message of no severity", info(message("Base.1.0.ResetRequired")), "gone"],
    ["an empty list", [], "gone"],
    ["a list", [{ state: "done" }], "gone"],
    ["nothing in a body", {}, "gone"],
    ["what is no answer of Redfish", { status: "denied" }, "gone"],
    ["text", "ended", "gone"],
    ["no messages", info(), "gone"],
    ["a task that has ended", completed(), "done"],
    [
      "a task that has ended with a warning",
      completed(message("Base.1.0.PropertyNotWriteable", "Warning")),
      "done",
    ],
    [
      "a task that has ended with messages of no severity",
      completed(message("IDRAC.2.8.JCP037"), message("Base.1.0.ResetRequired"), { Message: null }),
      "done",
    ],
    ["a task that has ended with an error", completed(message("X.1.0.Bad", "Critical")), "failed"],
    [
      "a task that has ended with an error, as new ones say it",
      completed({ ...message("X.1.0.Bad"), MessageSeverity: "Critical" }),
      "failed",
    ],
    [
      "a task that has ended with an error of no severity",
      completed(message("Base.1.0.GeneralError")),
      "failed",
    ],
    [
      "a task that runs, with an error in a part of it",
      { ...completed(message("X.1.0.Bad", "Critical")), TaskState: "Running" },
      "pending",
    ],
  ])("tells how it is: %s", async (_, body, state) => {
    expect(await observed(body)).toMatchObject({ state });
  });

  it.each<[string, unknown, number?]>([
    ["no session", info(message("Base.1.0.NoValidSession", "Critical"))],
    ["no session in an error", fault("Base.1.0.NoValidSession")],
    [
      "no right",
      fault("Base.1.0.GeneralError", message("Base.1.0.InsufficientPrivilege", "Critical")),
    ],
    ["no right, 403", fault("Base.1.0.InsufficientPrivilege"), 403],
    ["not now", info(message("Base.1.0.ServiceTemporarilyUnavailable", "Critical"))],
  ])("is asked again where it has %s", async (_, body, status) => {
    await expect(observed(body, status)).rejects.toMatchObject({ kind: "Unavailable" });
  });

  it("says the controller's reason", async () => {
    expect(await observed(fault("Base.1.0.GeneralError"))).toEqual({
      state: "failed",
      message: "the controller's task has failed: this is Base.1.0.GeneralError",
    });
  });
});
