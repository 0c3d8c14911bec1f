import { expect, it } from "vitest";
import { toNewRun } from "../store/test-support/run-fixture";
import { toNewTurn } from "../store/test-support/thread-fixture";
import { createRunSlots } from "./run-slots";

const toQueued = (id: string) => toNewRun(id, { turn: toNewTurn(1) });
const refused = expect.objectContaining({ code: "too_many_runs" });

it("counts runs that wait for their turn against new runs, and not against those that go on", () => {
	const slots = createRunSlots(2);
	for (const id of ["run_1", "run_2"]) slots.acquire(toQueued(id));
	for (const add of [toNewRun, toQueued]) expect(() => slots.acquire(add("run_3"))).toThrow(refused);
	for (const id of ["run_3", "run_4"]) slots.acquireResumed(toNewRun(id));
	expect(() => slots.acquireResumed(toNewRun("run_5"))).toThrow(refused);
	slots.release("run_3");
	slots.begin("run_1");
	expect(() => slots.acquireResumed(toNewRun("run_5"))).toThrow(refused);
	slots.release("run_1");
	slots.acquireResumed(toNewRun("run_5"));
});

it("lets a run have the runs that it needs while others wait for their turn", () => {
	const slots = createRunSlots(2);
	slots.acquire(toNewRun("run_1"));
	slots.acquire(toQueued("run_2"));
	expect(() => slots.acquire(toNewRun("run_3"))).toThrow(refused);
	slots.acquire(toNewRun("run_3", { within: "run_1" }));
	expect(() => slots.acquire(toNewRun("run_4", { within: "run_1" }))).toThrow(refused);
});

it("lets the paused run of a client key go on behind which its other runs wait", () => {
	const slots = createRunSlots(4);
	slots.acquire({ ...toQueued("run_1"), started_by: "ck_1" });
	expect(() => slots.acquire(toNewRun("run_2", { started_by: "ck_1" }))).toThrow(refused);
	slots.acquireResumed(toNewRun("run_2", { started_by: "ck_1" }));
	expect(() => slots.acquireResumed(toNewRun("run_3", { started_by: "ck_1" }))).toThrow(refused);
});

it("counts the runs of other instances, of which those that wait for their turn stop no run that goes on", () => {
	const slots = createRunSlots(3);
	const elsewhere = new Map([["cl_2", { all: 2, started: 1 }]]);
	slots.acquire(toNewRun("run_1"), elsewhere);
	expect(() => slots.acquire(toNewRun("run_2"), elsewhere)).toThrow(refused);
	slots.acquireResumed(toNewRun("run_2"), elsewhere);
	for (const run of [toNewRun("run_3"), toNewRun("run_3", { within: "run_1" })])
		expect(() => slots.acquire(run, elsewhere)).toThrow(refused);
	expect(() => slots.acquireResumed(toNewRun("run_3"), elsewhere)).toThrow(refused);
	// It has room already.
	slots.acquireResumed(toNewRun("run_2"), elsewhere);
});
