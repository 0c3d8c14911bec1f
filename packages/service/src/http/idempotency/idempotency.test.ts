import { clock } from "@stemma/core/internal";
import { beforeEach, describe, expect, test } from "vitest";
import { toNewRun } from "../../store/test-support/run-fixture";
import { requireCaller } from "../auth/authenticate";
import { createTestApp, jsonPost, readError, type TestApp } from "../test-support/test-app";
import { createOnce } from "./create-once";
import { insertRunOnce, withIdempotency } from "./idempotency";

let service: TestApp;
let made: string[];
/** What the work waits for. */
let gate: Promise<void>;

beforeEach(() => {
	service = createTestApp();
	made = [];
	gate = Promise.resolve();
	const { app } = service;
	const anyone = requireCaller({ scopes: ["ask"], clientKeys: true });
	async function make(name: string): Promise<string> {
		await gate;
		made.push(name);
		if (name === "bad") throw new Error("no");
		return `${name}-${made.length}`;
	}
	for (const path of ["/things", "/others"])
		app.post(path, anyone, async (context) => {
			const body = await context.req.json<{ name: string }>();
			return withIdempotency(context, body, async () => ({
				status: 201,
				body: { id: await make(body.name) },
			}));
		});
	app.post("/secrets", anyone, async (context) => {
		const body = await context.req.json<{ name: string }>();
		const created = await createOnce(context, body, {
			id: `id-${made.length}`,
			exists: async (id) => made.includes(id),
			create: async (id) => {
				await make(body.name === "bad" ? "bad" : id);
				return { id, secret: "cs_only_once" };
			},
		});
		return context.json(created, 201);
	});
	app.post("/runs", anyone, async (context) => {
		const body = await context.req.json<{ name: string }>();
		const runId = `run-${made.length}`;
		const claim = await insertRunOnce(context, body)(
			toNewRun(runId, { created_at: Date.now() }),
			() => undefined,
		);
		if (claim.kind === "new") made.push(runId);
		return context.json(claim);
	});
});

const send = async (
	path: string,
	body: unknown,
	key?: string,
	authorization = "a",
	headers: Record<string, string> = {},
) =>
	service.app.request(
		path,
		jsonPost(body, { authorization, ...(key !== undefined && { "idempotency-key": key }), ...headers }),
	);

describe("visitors who share a client key", () => {
	const visitors = ["a", "b"].map((letter) => ({ "stemma-visitor": letter.repeat(32) }));
	const sendAs = (path: string, headers: Record<string, string> | undefined) =>
		send(path, { name: "a" }, "order-1", "Bearer key", headers);

	test.each(["/things", "/runs"])(
		"get nothing of each other's by the same key and body: %s",
		async (path) => {
			const [first, second, again] = [
				await sendAs(path, visitors[0]),
				await sendAs(path, visitors[1]),
				await sendAs(path, visitors[0]),
			];
			const [mine, theirs] = [await first?.json(), await second?.json()];
			// Both are new: what was made for one is not given to the other.
			expect(theirs).toEqual(path === "/runs" ? { kind: "new" } : { id: "a-2" });
			expect(made).toHaveLength(2);
			const known = path === "/runs" ? { kind: "existing", runId: made[0] } : mine;
			expect(await again?.json()).toMatchObject(known);
			expect(made).toHaveLength(2);
		},
	);

	test("are handed nothing over without a secret of their own, also while the work is under way", async () => {
		let open = (): void => undefined;
		gate = new Promise((resolve) => {
			open = resolve;
		});
		const first = sendAs("/things", undefined);
		const early = await sendAs("/things", undefined);
		open();
		expect((await first).status).toBe(201);
		const late = await sendAs("/things", undefined);
		for (const answer of [early, late]) {
			const error = await readError(answer);
			expect([answer.status, error.code, error.param]).toEqual([
				409,
				"idempotency_conflict",
				"stemma-visitor",
			]);
		}
		expect(made).toEqual(["a"]);
		expect((await sendAs("/runs", undefined)).status).toBe(200);
		expect((await sendAs("/runs", undefined)).status).toBe(409);
	});

	test("need a secret that nobody guesses", async () => {
		const answer = await sendAs("/things", { "stemma-visitor": "visitor-1" });
		expect([answer.status, (await readError(answer)).param]).toEqual([400, "stemma-visitor"]);
	});

	test("leave no secret in the store", async () => {
		await sendAs("/things", visitors[0]);
		const rows = await service.database.read.selectFrom("idempotency").selectAll().execute();
		expect(rows).toHaveLength(1);
		expect(JSON.stringify(rows)).not.toContain("a".repeat(32));
	});
});

describe("an answer that is kept", () => {
	test("is given again, whatever the order of the fields", async () => {
		const first = await send("/things", { name: "a", x: { b: 1, c: 2 } }, "k");
		const second = await send("/things", { x: { c: 2, b: 1 }, name: "a" }, "k");
		expect([first.status, second.status]).toEqual([201, 201]);
		expect(await second.json()).toEqual(await first.json());
		expect(made).toEqual(["a"]);
	});
	test("is not given to another body", async () => {
		await send("/things", { name: "a" }, "k");
		const response = await send("/things", { name: "b" }, "k");
		expect([response.status, (await readError(response)).code]).toEqual([409, "idempotency_conflict"]);
		expect(made).toEqual(["a"]);
	});
	test("belongs to its key, caller and route", async () => {
		await send("/things", { name: "a" }, "k");
		await send("/things", { name: "a" }, "other");
		await send("/things", { name: "a" }, "k", "someone else");
		await send("/others", { name: "a" }, "k");
		await send("/things", { name: "a" });
		await send("/things", { name: "a" });
		expect(made).toHaveLength(6);
	});
	test("is waited for while the work is under way", async () => {
		let open = (): void => undefined;
		gate = new Promise((resolve) => (open = resolve));
		const answers = [1, 2, 3].map(() => send("/things", { name: "a" }, "k"));
		const conflict = send("/things", { name: "b" }, "k");
		expect((await conflict).status).toBe(409);
		open();
		for (const answer of answers) expect(await (await answer).json()).toEqual({ id: "a-1" });
		expect(made).toEqual(["a"]);
	});
	test("is no failure: that can be tried again", async () => {
		expect((await send("/things", { name: "bad" }, "k")).status).toBe(500);
		expect((await send("/things", { name: "bad" }, "k")).status).toBe(500);
		expect(made).toHaveLength(2);
	});
	test("is forgotten after 24 hours", async () => {
		const before = clock.now();
		await send("/things", { name: "a" }, "k");
		const after = clock.now();
		const { database, workspace } = service;
		const list = () => database.read.selectFrom("idempotency").selectAll().execute();
		const day = 24 * 60 * 60 * 1000;
		await workspace.store.idempotency.deleteExpired(before + day - 1);
		expect(await list()).toHaveLength(1);
		await workspace.store.idempotency.deleteExpired(after + day + 1);
		expect(await list()).toHaveLength(0);
		await send("/things", { name: "b" }, "k");
		expect(made).toEqual(["a", "b"]);
	});
	test("is kept without the body", async () => {
		await send("/things", { name: "a", x: "s3cret" }, "k");
		const rows = await service.database.read.selectFrom("idempotency").selectAll().execute();
		expect(JSON.stringify(rows)).not.toContain("s3cret");
	});
});

test.each(["x".repeat(201), "tab\there", "é"])("the key %j is refused", async (key) => {
	const response = await send("/things", { name: "a" }, key);
	expect([response.status, (await readError(response)).param]).toEqual([400, "idempotency-key"]);
});

describe("what is created once", () => {
	test("is not created again, and its secret is not shown again", async () => {
		const first = await send("/secrets", { name: "a" }, "k");
		expect([first.status, await first.json()]).toEqual([201, { id: "id-0", secret: "cs_only_once" }]);
		const second = await send("/secrets", { name: "a" }, "k");
		expect(second.status).toBe(409);
		const text = await second.text();
		expect(JSON.parse(text).error).toMatchObject({ code: "already_created", details: { id: "id-0" } });
		expect(text).not.toContain("cs_only_once");
		expect((await readError(await send("/secrets", { name: "b" }, "k"))).code).toBe("idempotency_conflict");
	});
	test("is created once by requests at the same time", async () => {
		const answers = await Promise.all([1, 2, 3, 4].map(() => send("/secrets", { name: "a" }, "k")));
		expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
		expect(made).toHaveLength(1);
	});
	test("can be tried again when that failed, by one of those who wait", async () => {
		const answers = await Promise.all([1, 2].map(() => send("/secrets", { name: "bad" }, "k")));
		expect(answers.map(({ status }) => status)).toEqual([500, 500]);
	});
	test("is finished under the same id after a crash", async () => {
		await send("/secrets", { name: "a" }, "k");
		// As if the process had ended before anything was made.
		made = ["something else"];
		await service.database.write.updateTable("idempotency").set({ status: null }).execute();
		expect(await (await send("/secrets", { name: "a" }, "k")).json()).toMatchObject({ id: "id-0" });
		expect((await send("/secrets", { name: "a" }, "k")).status).toBe(409);
	});
});

test("a run is claimed once", async () => {
	const claims = await Promise.all(
		[1, 2, 3].map(async () => (await send("/runs", { name: "a" }, "k")).json()),
	);
	expect(claims).toContainEqual({ kind: "new" });
	expect(claims.filter(({ kind }) => kind === "existing")).toMatchObject([
		{ kind: "existing", runId: "run-0" },
		{ kind: "existing", runId: "run-0" },
	]);
	expect((await send("/runs", { name: "b" }, "k")).status).toBe(409);
	expect(await (await send("/runs", { name: "b" })).json()).toEqual({ kind: "new" });
});
