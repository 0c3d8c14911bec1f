import { createMcpHandler, text, useRpcServer } from "@stemma/simulators/rpc";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../quick-starts/page";
import { createHandbook, createRefundGraph, HOSTILE_TEXT } from "./refund-agent";
import { createEncryptionKey, startWebAppFixture, type WebAppFixture } from "./web-app-fixture";
import { signInToWebApp, type WebAppPage } from "./web-app-page";

const HIDDEN_CHARACTERS = /[\u202e\u200b]/u;
const AMOUNT = { amount: 12, note: HOSTILE_TEXT };

let fixture: WebAppFixture;
let app: WebAppPage;

const tools = useRpcServer();
const until = <Value>(read: () => Value) => expect.poll(read, { interval: 50, timeout: 15_000 });
const has = (words: string | RegExp) => until(() => app.page.getByText(words).first().isVisible()).toBe(true);
const region = (name: string) => app.page.getByRole("region", { name, exact: true });

/** Makes the model ask for the payment first, then answer. */
function askForPayment(): void {
	fixture.vendor.enqueue(
		{ kind: "reply", toolCalls: [{ name: "pay", arguments: AMOUNT }] },
		{ kind: "reply", text: `Five working days [1]. ${HOSTILE_TEXT}` },
	);
}

async function startRun(): Promise<string> {
	const { id } = await fixture
		.service()
		.stemma.agents.start("refund-desk", { input: `Refund? ${HOSTILE_TEXT}` });
	return id;
}

/** Asserts that nothing ran, that nothing was loaded from elsewhere, and that the page fits a phone. */
async function expectHarmless(): Promise<void> {
	expect(app.problems).toEqual([]);
	expect(await app.page.locator("main img, main script, main iframe, a[href^='javascript']").count()).toBe(0);
	expect(await app.page.locator("body").textContent()).not.toMatch(HIDDEN_CHARACTERS);
	expect(await app.phoneOverflow()).toBeLessThanOrEqual(0);
}

describe.skipIf(!hasChromium)("the page of the runs", () => {
	beforeAll(async () => {
		tools.handle(
			createMcpHandler({
				era: "modern",
				tools: [{ name: "refund", description: "Pays." }],
				call: () => text(`Paid. ${HOSTILE_TEXT}`),
			}),
		);
		fixture = await startWebAppFixture(createEncryptionKey());
		const { stemma } = fixture.service();
		await createHandbook(stemma);
		await stemma.agents.create({ slug: "refund-desk", graph: createRefundGraph(`${tools.url}/mcp`) });
		await stemma.agents.create({
			slug: "echo",
			graph: { nodes: [{ id: "desk", kind: "coordinator", instructions: "Answer." }] },
		});
		app = await signInToWebApp(fixture.browser, await fixture.invite("ada@example.com", "editor"));
	});
	afterAll(() => fixture?.close());

	it("says what to do while there are none", async () => {
		await app.page.getByRole("link", { name: "Runs", exact: true }).click();
		await has("No agent has run yet.");
		expect(await app.violations()).toEqual([]);
	});

	it("shows a call that waits with its exact arguments, and goes on after it is approved by keyboard", async () => {
		askForPayment();
		const id = await startRun();
		await app.page.getByRole("link", { name: "Agents", exact: true }).click();
		await app.page.getByRole("link", { name: "Runs", exact: true }).click();
		await app.page.getByRole("link", { name: /refund-desk/ }).press("Enter");
		await until(() => app.page.url()).toContain(`#/runs/${id}`);
		const approvals = region("Waits for approval");
		await until(() => approvals.locator("pre").textContent()).toMatch(/"amount": 12,\s+"note": "<img src=/);
		expect(await approvals.locator("pre").textContent()).toContain("safe\\u202efdp.exe\\u200b");
		expect(await app.violations()).toEqual([]);
		await expectHarmless();
		await app.shoot("run-approval");
		await app.page.reload();
		await approvals.getByRole("button", { name: "Approve" }).focus();
		await app.page.keyboard.press("Enter");
		await has("Completed");
		await until(() => region("Output").textContent()).toMatch(/Five working days.*<img src=/s);
		expect(tools.received.filter(({ rpc }) => rpc.method === "tools/call")).toMatchObject([
			{ rpc: { params: { arguments: AMOUNT } } },
		]);
	});

	it("has a timeline of nodes, calls and waits, each with what came in and out", async () => {
		const steps = app.page.locator(".timeline > li");
		await until(() => steps.count()).toBe(4);
		expect(await steps.locator(".span-name").allTextContents()).toEqual([
			"deskCoordinator",
			"pagesKnowledge",
			"payTool",
			"Wait for approval",
		]);
		for (const step of await steps.locator("summary").all()) await step.press("Enter");
		await until(() => steps.nth(1).textContent()).toMatch(/A refund takes five working days\./);
		await until(() => steps.nth(2).textContent()).toMatch(/"amount": 12.*Paid\. <img/s);
		expect(await region("Receipt").textContent()).toMatch(/answer.*simulated-1.*the deployment/s);
		expect(await app.violations()).toEqual([]);
		await expectHarmless();
		await app.shoot("run");
	});

	it("opens a source at its passage", async () => {
		await region("Output")
			.getByRole("button", { name: /^\[1\]/ })
			.click();
		await until(() => app.page.locator(".viewer mark").textContent()).toContain("five working days");
		await app.page.keyboard.press("Escape");
		await until(() => app.page.locator(".viewer").count()).toBe(0);
	});

	it("lists the events, each of which opens", async () => {
		await app.click("Show the events");
		const events = app.page.locator(".event");
		await until(() => events.first().textContent()).toMatch(/run\.started/);
		await events.first().press("Enter");
		await until(() => app.page.locator(".events pre").textContent()).toContain('"type": "run.started"');
		expect(await app.violations()).toEqual([]);
		await expectHarmless();
	});

	it("denies with a reason, which the model reads", async () => {
		askForPayment();
		await app.open(`#/runs/${await startRun()}`);
		await app.page.getByLabel("Reason of a denial").fill("Too late.");
		await app.click("Deny");
		await has("Completed");
		expect(JSON.stringify(fixture.vendor.requests.at(-1)?.body)).toContain("Too late.");
		expect(tools.received.filter(({ rpc }) => rpc.method === "tools/call")).toHaveLength(1);
	});

	it("follows a run as it goes on, and cancels it", async () => {
		fixture.say("Slowly, slowly, the answer comes.");
		const release = fixture.hold();
		const { id } = await fixture.service().stemma.agents.start("echo", { input: "Hi" });
		await app.open(`#/runs/${id}`);
		await until(() => region("Output").textContent()).toMatch(/Slowly/);
		await app.page.reload();
		await until(() => region("Output").textContent()).toMatch(/Slowly/);
		await app.click("Cancel the run");
		expect(await app.violations()).toEqual([]);
		await app.page.getByRole("dialog").getByRole("button", { name: "Cancel the run" }).click();
		await has("Cancelled");
		release();
		expect(app.problems).toEqual([]);
	});

	it("shows the error of a run with its code and what to do", async () => {
		fixture.vendor.enqueue({ kind: "failure", status: 401, message: "No such key." });
		const { id } = await fixture.service().stemma.agents.start("echo", { input: "Hi" });
		await app.open(`#/runs/${id}`);
		await has("The run failed");
		await until(() => app.page.locator(".notice.bad").first().textContent()).toMatch(/Code: \w+/);
		expect(await app.violations()).toEqual([]);
	});

	it("scrolls through 20,000 events, of which few are drawn", async () => {
		fixture.say("word ".repeat(29_000));
		const { stemma } = fixture.service();
		const { run_id } = await stemma.agents.run("echo", { input: "At length." });
		const { last_seq } = await stemma.runs.get(run_id);
		expect(last_seq).toBeGreaterThan(20_000);
		await app.open(`#/runs/${run_id}`);
		await has("Completed");
		await until(() => region("Events").textContent()).toContain(`${last_seq.toLocaleString("en-US")} events`);
		await app.click("Show the events");
		await region("List of events").press("End");
		await until(() => app.page.locator(".event").last().textContent()).toContain("run.completed");
		expect(await app.page.locator(".event").count()).toBeLessThan(100);
		expect(app.problems).toEqual([]);
	});

	it("filters by agent, state and day, and keeps the filters", async () => {
		await app.open("#/runs");
		const rows = app.page.locator(".runs > li");
		await until(() => rows.count()).toBe(5);
		await app.page.getByLabel("Agent", { exact: true }).selectOption("Refund desk");
		await until(() => rows.count()).toBe(2);
		await app.page.getByLabel("State").selectOption("failed");
		await has("No run is like that.");
		await app.page.reload();
		await has("No run is like that.");
		await app.click("Clear the filters");
		await app.page.getByLabel("State").selectOption("cancelled");
		await until(() => rows.count()).toBe(1);
		await app.click("Clear the filters");
		await app.page.getByLabel("From").fill("2020-01-01");
		await until(() => rows.count()).toBe(5);
		await app.page.getByLabel("To", { exact: true }).fill("2020-01-02");
		await has("No run is like that.");
		await app.click("Clear the filters");
		await until(() => rows.count()).toBe(5);
		expect(await app.violations()).toEqual([]);
		await expectHarmless();
		await app.shoot("runs");
	});

	it("shows a viewer their own runs alone, and no decision that would be refused", async () => {
		const viewer = await signInToWebApp(fixture.browser, await fixture.invite("bob@example.com", "viewer"));
		await viewer.page.getByRole("link", { name: "Runs", exact: true }).click();
		await until(() => viewer.page.getByText("No agent has run yet.").isVisible()).toBe(true);
		askForPayment();
		await viewer.page.getByRole("link", { name: "Agents", exact: true }).click();
		await viewer.page.getByRole("link", { name: /Refund desk/ }).click();
		await viewer.page.getByLabel("Input", { exact: true }).fill("Refund?");
		await viewer.page.getByRole("button", { name: "Run", exact: true }).click();
		await viewer.page.getByRole("link", { name: "Open this run" }).click();
		await until(() => viewer.page.getByText("An editor of this workspace decides").isVisible()).toBe(true);
		expect(await viewer.page.getByRole("button", { name: /Approve|Deny|Save|Delete/ }).count()).toBe(0);
		expect(viewer.problems).toEqual([]);
		await viewer.close();
	});
});
