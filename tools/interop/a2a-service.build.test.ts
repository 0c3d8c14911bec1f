import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FACT, QUESTION } from "../end-to-end/handbook";
import type { ServiceProcess } from "../end-to-end/servers";
import { AT_ONCE, demandTask, type ListedTasks, toRequest } from "./a2a-messages";
import { type A2aStage, BINDINGS, openA2aStage, toDesk } from "./a2a-stage";
import { isInstalled } from "./peers";

let stage: A2aStage;

beforeAll(async () => {
	if (isInstalled) stage = await openA2aStage();
});
afterAll(() => stage?.close());

describe.skipIf(!isInstalled)("the official A2A client and the service", () => {
	it.each(BINDINGS)("finds its own tasks with a client key, and lists none: %s", async (binding) => {
		const { client_key: token } = await stage.service.stemma.clientKeys.create({
			name: "phone",
			native: true,
			requests_per_minute: 10_000,
			tokens_per_day: 100_000_000,
		});
		const on = `key ${binding}`;
		const { url } = await toDesk(stage.service);
		await stage.client.run("connect", { as: on, binding, url, token });
		const task = demandTask(await stage.client.run("send", { on, request: toRequest(QUESTION) }));
		expect(task.artifacts?.[0]?.parts[0]?.text).toContain(FACT);
		expect(await stage.client.run("getTask", { on, id: task.id })).toEqual(task);
		await expect(stage.client.run("listTasks", { on })).rejects.toMatchObject({
			told: { reason: "UNSUPPORTED_OPERATION" },
		});
		// All who read a page have its key: the id of a run is not enough.
		const [guessed] = task.id.split(".");
		await expect(stage.client.run("getTask", { on, id: guessed })).rejects.toMatchObject({
			told: { reason: "TASK_NOT_FOUND" },
		});
	});

	it("finds tasks again after the service was killed and started again", async () => {
		const connect = async (service: ServiceProcess) => {
			const place = await toDesk(service);
			for (const binding of BINDINGS) await stage.client.run("connect", { as: binding, binding, ...place });
		};
		const { service, client } = stage;
		await connect(service);
		const contextId = crypto.randomUUID();
		const send = async (text: string, configuration: object) => {
			const request = toRequest(text, { contextId }, configuration);
			return demandTask(await client.run("send", { on: "JSONRPC", request }));
		};
		const ended = await send(QUESTION, {});
		const running = await send(`${QUESTION} #stall`, AT_ONCE);
		service.program.kill("SIGKILL");
		await service.program.ended;

		await connect(await stage.startService(service.data));
		for (const on of BINDINGS) {
			expect(await client.run("getTask", { on, id: ended.id })).toEqual(ended);
			const { tasks } = await client.run<ListedTasks>("listTasks", { on, query: { contextId } });
			expect(tasks.map(({ id }) => id).toSorted()).toEqual([ended.id, running.id].toSorted());
			const why = { data: expect.objectContaining({ code: "interrupted" }) };
			expect(await client.run("getTask", { on, id: running.id })).toMatchObject({
				status: { state: "TASK_STATE_FAILED", message: { parts: expect.arrayContaining([why]) } },
			});
			for (const { id } of [ended, running])
				await expect(client.run("subscribe", { on, id })).rejects.toMatchObject({
					told: { reason: "UNSUPPORTED_OPERATION" },
				});
		}
	});
});
