import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FACT, QUESTION } from "../end-to-end/handbook";
import type { ServiceProcess } from "../end-to-end/servers";
import { type A2aFixture, BINDINGS, createA2aFixture, toAgentTarget } from "./a2a-fixture";
import { getTask, type ListedTasks, RETURN_IMMEDIATELY, toRequest } from "./a2a-messages";
import { isInstalled } from "./peers";

let fixture: A2aFixture;

/** A task without the tokens of its documents' addresses, which change with time. */
const withoutTokens = (task: unknown): unknown =>
	JSON.parse(JSON.stringify(task).replaceAll(/token=dt_\w[\w-]*/g, "token"));

beforeAll(async () => {
	if (isInstalled) fixture = await createA2aFixture();
});
afterAll(() => fixture?.close());

describe.skipIf(!isInstalled)("the official A2A client and the service", () => {
	it.each(BINDINGS)("finds its own tasks with a client key, and lists none: %s", async (binding) => {
		const { client_key: token } = await fixture.service.stemma.clientKeys.create({
			name: "phone",
			native: true,
			requests_per_minute: 10_000,
			tokens_per_day: 100_000_000,
		});
		const on = `key ${binding}`;
		const { url } = await toAgentTarget(fixture.service);
		await fixture.client.run("connect", { as: on, binding, url, token });
		const task = getTask(await fixture.client.run("send", { on, request: toRequest(QUESTION) }));
		expect(task.artifacts?.[0]?.parts[0]?.text).toContain(FACT);
		const found = await fixture.client.run("getTask", { on, id: task.id });
		expect(withoutTokens(found)).toEqual(withoutTokens(task));
		await expect(fixture.client.run("listTasks", { on })).rejects.toMatchObject({
			details: { reason: "UNSUPPORTED_OPERATION" },
		});
		// All who read a page have its key: the id of a run is not enough.
		const [guessed] = task.id.split(".");
		await expect(fixture.client.run("getTask", { on, id: guessed })).rejects.toMatchObject({
			details: { reason: "TASK_NOT_FOUND" },
		});
	});

	it("finds tasks again after the service was killed and started again", async () => {
		const connect = async (service: ServiceProcess) => {
			const target = await toAgentTarget(service);
			for (const binding of BINDINGS)
				await fixture.client.run("connect", { as: binding, binding, ...target });
		};
		const { service, client } = fixture;
		await connect(service);
		const contextId = crypto.randomUUID();
		const send = async (text: string, configuration: object) => {
			const request = toRequest(text, { contextId }, configuration);
			return getTask(await client.run("send", { on: "JSONRPC", request }));
		};
		const ended = await send(QUESTION, {});
		const running = await send(`${QUESTION} #stall`, RETURN_IMMEDIATELY);
		// From then on it can be resumed.
		await expect
			.poll(() => client.run("getTask", { on: "JSONRPC", id: running.id }))
			.toMatchObject({ artifacts: [expect.anything()] });
		service.program.kill("SIGKILL");
		await service.program.ended;

		await connect(await fixture.startService(service.data));
		for (const on of BINDINGS) {
			expect(await client.run("getTask", { on, id: ended.id })).toEqual(ended);
			const { tasks } = await client.run<ListedTasks>("listTasks", { on, query: { contextId } });
			expect(tasks.map(({ id }) => id).toSorted()).toEqual([ended.id, running.id].toSorted());
			expect(await client.run("getTask", { on, id: running.id })).toMatchObject({
				status: { state: "TASK_STATE_WORKING" },
			});
			await expect(client.run("subscribe", { on, id: ended.id })).rejects.toMatchObject({
				details: { reason: "UNSUPPORTED_OPERATION" },
			});
		}
	});
});
