import { createMcpHandler, useRpcServer } from "@stemma/simulators/rpc";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../quick-starts/page";
import { createHandbook, createRefundGraph } from "./refund-agent";
import { createEncryptionKey, startWebAppFixture, type WebAppFixture } from "./web-app-fixture";
import { signInToWebApp, type WebAppPage } from "./web-app-page";

let fixture: WebAppFixture;
let app: WebAppPage;

const tools = useRpcServer();
const until = <Value>(read: () => Value) => expect.poll(read, { interval: 50, timeout: 15_000 });
const has = (words: string | RegExp) => until(() => app.page.getByText(words).first().isVisible()).toBe(true);
const region = (name: string) => app.page.getByRole("region", { name, exact: true });
const editor = () => app.page.getByRole("textbox", { name: "Graph as JSON" });
const written = async () => (await editor().locator(".cm-line").allTextContents()).join("\n");

/** Replaces the text of the editor, as somebody who pastes. */
async function write(text: string): Promise<void> {
	await editor().focus();
	await app.page.keyboard.press("Control+A");
	await app.page.keyboard.insertText(text);
}

describe.skipIf(!hasChromium)("the page of the agents", () => {
	beforeAll(async () => {
		tools.handle(createMcpHandler({ era: "modern", tools: [{ name: "refund", description: "Pays." }] }));
		fixture = await startWebAppFixture(createEncryptionKey());
		app = await signInToWebApp(fixture.browser, await fixture.invite("ada@example.com", "editor"));
	});
	afterAll(() => fixture?.close());

	it("creates an agent from a template, by keyboard", async () => {
		await app.page.getByRole("link", { name: "Agents", exact: true }).press("Enter");
		await has("There are no agents yet.");
		await createHandbook(fixture.service().stemma);
		await app.page.reload();
		await app.page.getByLabel("Template").waitFor();
		expect(await app.violations()).toEqual([]);
		await app.page.getByLabel("Name").fill("Desk");
		await app.page.getByLabel("Template").selectOption("Answers from knowledge bases");
		await app.page.getByLabel("Name").press("Enter");
		await until(() => app.page.url()).toMatch(/#\/agents\/ag_/);
		await until(() => app.page.locator(".graph-node").count()).toBe(2);
		expect(await app.page.locator(".graph-edge").getAttribute("data-mode")).toBe("before");
		await until(() => region("What it may do, and who pays").textContent()).toMatch(
			/knowledge bases handbook.*simulated-1, paid by: the deployment/s,
		);
		expect(await app.violations()).toEqual([]);
		expect(await app.phoneOverflow()).toBeLessThanOrEqual(0);
		expect(app.problems).toEqual([]);
	});

	it("runs it: its nodes light up, with the passages that they found, and the receipt", async () => {
		fixture.say("A refund takes five working days [1].");
		const release = fixture.hold();
		await app.page.getByLabel("Input", { exact: true }).fill("How long does a refund take?");
		await app.page.getByRole("button", { name: "Run", exact: true }).press("Enter");
		await until(() => app.page.url()).toMatch(/#\/agents\/ag_.*\/run_/);
		const node = (name: string) => app.page.locator(".graph-node", { hasText: name });
		await until(() => node("documents").getAttribute("data-state")).toBe("completed");
		await until(() => node("assistant").getAttribute("data-state")).toBe("running");
		expect(await node("assistant").textContent()).toContain("running");
		await app.page.reload();
		await until(() => node("assistant").getAttribute("data-state")).toBe("running");
		release();
		await until(() => node("assistant").getAttribute("data-state")).toBe("completed");
		await until(() => region("Output").textContent()).toMatch(/five working days/);
		await region("Timeline").locator("summary", { hasText: "documents" }).press("Enter");
		await until(() => region("Timeline").textContent()).toMatch(/A refund takes five working days\./);
		expect(await region("Receipt").textContent()).toMatch(/simulated-1/);
		expect(await app.violations()).toEqual([]);
		expect(await app.phoneOverflow()).toBeLessThanOrEqual(0);
		await app.shoot("agent-run");
	});

	it("marks all problems of a graph at once, and leads to each", async () => {
		await write(`{
  "nodes": [{ "id": "desk", "kind": "coordinator", "maxTurns": 0 }],
  "edges": [{ "from": "desk", "to": "lost" }]
}`);
		await has("2 to mend");
		const issues = region("Graph as JSON").locator(".issues li");
		expect(await issues.allTextContents()).toMatchObject([
			expect.stringMatching(/^nodes\[0\]\.maxTurns/),
			expect.stringMatching(/^edges\[0\]\.to/),
		]);
		await until(() => editor().locator(".cm-lintRange-error").count()).toBe(2);
		await app.click("Go to edges[0].to");
		expect(await app.page.evaluate(() => document.activeElement?.className)).toBe("json-editor");
		await app.page.keyboard.insertText('"desk"');
		await until(async () => (await issues.allTextContents()).join()).toMatch(/itself/);
		expect(await region("Graph as JSON").getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
		expect(await app.violations()).toEqual([]);
		await app.shoot("agent-issues");
		await write("{ ");
		await until(async () => (await issues.allTextContents()).join()).toMatch(/line 1/);
		expect(app.problems).toEqual([]);
	});

	it("suggests fields and values as somebody types", async () => {
		await write('{"nodes": [{"id": "desk", "kind": ');
		await app.page.keyboard.type('"coo');
		const options = app.page.locator(".cm-tooltip-autocomplete li");
		await until(() => options.allTextContents()).toEqual(["coordinator"]);
		// Suggestions that have only just opened take no key: somebody may have meant a new line.
		await app.page.waitForTimeout(200);
		await app.page.keyboard.press("Enter");
		await until(written).toContain('"coordinator"');
		expect(app.problems).toEqual([]);
	});

	it("keeps a draft over a reload, and saves it as the next version", async () => {
		const { stemma } = fixture.service();
		const [agent] = (await stemma.agents.list()).data;
		const graph = createRefundGraph(`${tools.url}/mcp`);
		await write(JSON.stringify(graph, null, 2));
		await until(() => app.page.locator(".graph-node").count()).toBe(4);
		await app.page.reload();
		await until(() => app.page.locator(".graph-node").count()).toBe(4);
		await until(() => region("What it may do, and who pays").textContent()).toMatch(/tools pay/);
		await app.click("Save");
		await has("Saved as version 2.");
		expect(await stemma.agents.get(agent?.id ?? "")).toMatchObject({ version: 2, graph });
		await app.page.getByText("Nodes and edges as a list").click();
		await until(() => app.page.locator(".graph-words").textContent()).toMatch(
			/first gets what comes from pages.*may call law \(at most 2×\).*pay Tool, asks a person/s,
		);
		expect(await app.page.locator("main img, main script").count()).toBe(0);
		expect(await app.violations()).toEqual([]);
		expect(await app.phoneOverflow()).toBeLessThanOrEqual(0);
		await app.shoot("agent");
	});

	it("does not overwrite what somebody else has saved meanwhile, unless told to", async () => {
		const { stemma } = fixture.service();
		const [agent] = (await stemma.agents.list()).data;
		const id = agent?.id ?? "";
		const toGraph = (name: string) => ({ name, nodes: [{ id: "desk", kind: "coordinator" as const }] });
		await stemma.agents.replace(id, { graph: toGraph("Theirs") });
		await write(JSON.stringify(toGraph("Mine")));
		await app.click("Save");
		await has("Somebody else has changed this agent meanwhile");
		expect(await app.violations()).toEqual([]);
		await app.click("Load the newest");
		await until(written).toContain("Theirs");
		await write(JSON.stringify(toGraph("Mine")));
		await stemma.agents.replace(id, { graph: toGraph("Theirs again") });
		await app.click("Save");
		await app.click("Save mine over it");
		await has("Saved as version 5.");
		expect((await stemma.agents.get(id)).name).toBe("Mine");
		// The browser notes the two refusals.
		expect(app.problems.filter((problem) => !problem.includes("409"))).toEqual([]);
		app.problems.length = 0;
	});

	it("places what only the service knows: a knowledge base that is not there", async () => {
		const nodes = [
			{ id: "desk", kind: "coordinator" },
			{ id: "pages", kind: "knowledge", knowledgeBases: ["handbok"] },
		];
		await write(JSON.stringify({ nodes, edges: [{ from: "desk", to: "pages" }] }, null, 2));
		await app.click("Save");
		await until(() => region("Graph as JSON").locator(".issues").textContent()).toMatch(
			/nodes\[1\]\.knowledgeBases\[0\].*handbook/s,
		);
		expect(app.problems.filter((problem) => !problem.includes("422"))).toEqual([]);
		app.problems.length = 0;
		await app.click("Discard the changes");
		await until(written).toContain("Mine");
	});

	it("shows a viewer the graph and how to run it, and no control that would be refused", async () => {
		const viewer = await signInToWebApp(fixture.browser, await fixture.invite("bob@example.com", "viewer"));
		await viewer.page.getByRole("link", { name: "Agents", exact: true }).click();
		await viewer.page.getByRole("link", { name: /Mine/ }).click();
		await until(() => viewer.page.locator(".graph-node").count()).toBe(1);
		expect(await viewer.page.getByRole("button", { name: /Save|Delete|Create/ }).count()).toBe(0);
		expect(await viewer.page.getByRole("textbox", { name: "Graph as JSON" }).count()).toBe(0);
		await viewer.page.getByLabel("Input", { exact: true }).fill("Hi");
		await viewer.page.getByRole("button", { name: "Run", exact: true }).click();
		await until(() => viewer.page.getByText("Completed").first().isVisible()).toBe(true);
		expect(await viewer.violations()).toEqual([]);
		expect(viewer.problems).toEqual([]);
		await viewer.close();
	});

	it("lists agents with their last run, and deletes one after a question", async () => {
		await app.page.getByRole("link", { name: "Agents", exact: true }).click();
		await until(() => app.page.locator(".card").textContent()).toMatch(/Mine.*last run.*Completed/s);
		expect(await app.violations()).toEqual([]);
		expect(await app.phoneOverflow()).toBeLessThanOrEqual(0);
		await app.shoot("agents");
		await app.page.getByRole("link", { name: /Mine/ }).click();
		await app.click("Delete the agent");
		await app.page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
		await has("There are no agents yet.");
		expect(app.problems).toEqual([]);
		await app.close();
	});
});
