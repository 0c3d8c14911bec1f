import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../quick-starts/page";
import { createEncryptionKey, startWebAppFixture, type WebAppFixture } from "./web-app-fixture";
import { signInToWebApp, type WebAppPage } from "./web-app-page";

let fixture: WebAppFixture;
let app: WebAppPage;
let id: string;

const until = <Value>(read: () => Value) => expect.poll(read, { interval: 50, timeout: 15_000 });
const has = (words: string | RegExp) => until(() => app.page.getByText(words).first().isVisible()).toBe(true);
const region = (name: string) => app.page.getByRole("region", { name, exact: true });
const rows = () => region("Versions").locator("tbody tr");

describe.skipIf(!hasChromium)("the page of the versions of an agent", () => {
	beforeAll(async () => {
		fixture = await startWebAppFixture(createEncryptionKey());
		app = await signInToWebApp(fixture.browser, await fixture.invite("ada@example.com", "editor"));
		const { agents } = fixture.service().stemma;
		const desk = { id: "desk", kind: "coordinator", instructions: "Be brief." } as const;
		const graph = { name: "Desk", nodes: [desk] };
		({ id } = await agents.create({ slug: "desk", graph, note: "First." }));
		await agents.run(id, { input: "Hi" });
		await agents.replace(id, {
			note: "Asks a lawyer. <b>Bold</b>",
			graph: {
				...graph,
				nodes: [
					{ ...desk, instructions: "Be kind." },
					{ id: "law", kind: "agent" },
				],
				edges: [{ from: "desk", to: "law", maxCalls: 2 }],
			},
		});
	});
	afterAll(() => fixture?.close());

	it("lists them, and says what changed in words and in lines of JSON", async () => {
		await app.page.getByRole("link", { name: "Agents", exact: true }).click();
		await app.page.getByRole("link", { name: /Desk/ }).click();
		await app.page.getByRole("link", { name: "Versions", exact: true }).press("Enter");
		await until(() => rows().count()).toBe(2);
		expect(await rows().allTextContents()).toMatchObject([
			expect.stringContaining("Asks a lawyer. <b>Bold</b>"),
			expect.stringContaining("First."),
		]);
		const changes = region("What changed");
		await until(() => changes.textContent()).toMatch(
			/Nodes.*Added: .*law.*Changed: .*desk.*instructions: Be brief\. → Be kind\..*Edges.*Added: desk may call law/s,
		);
		await changes.getByText("The same as lines of JSON").click();
		await until(() => changes.locator('[data-change="added"]').allTextContents()).toContainEqual(
			expect.stringMatching(/^\+ +"instructions": "Be kind\."/),
		);
		expect(await changes.locator('[data-change="removed"]').first().textContent()).toContain("Be brief.");
		expect(await app.violations()).toEqual([]);
		expect(await app.phoneOverflow()).toBeLessThanOrEqual(0);
		await app.shoot("agent-versions");
		expect(app.problems).toEqual([]);
	});

	it("restores one after a question, and lists that, too", async () => {
		await app.click("Restore version 1");
		expect(await app.violations()).toEqual([]);
		await app.page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
		await has("Version 1 is restored, as version 3.");
		await until(() => rows().first().textContent()).toMatch(/^3.*you.*restores version 1/s);
		const { agents } = fixture.service().stemma;
		expect(await agents.get(id)).toMatchObject({ version: 3, graph: { nodes: [{ id: "desk" }] } });
		await app.page.getByLabel("From version").selectOption("1");
		await has("The two graphs mean the same.");
		expect(app.page.url()).toMatch(/\/versions\/1\/3$/);
		expect(app.problems).toEqual([]);
	});

	it("restores nothing where somebody else has changed the agent meanwhile", async () => {
		const { agents } = fixture.service().stemma;
		const nodes = [{ id: "desk", kind: "coordinator" as const, instructions: "Theirs." }];
		await agents.replace(id, { graph: { name: "Desk", nodes } });
		await app.click("Restore version 2");
		await app.page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
		await has(/The agent was changed/);
		expect((await agents.get(id)).version).toBe(4);
		expect(app.problems.filter((problem) => !problem.includes("409"))).toEqual([]);
		app.problems.length = 0;
	});

	it("is where a run leads to, for those who may see versions", async () => {
		const [run] = (await fixture.service().stemma.runs.list({ agent_id: id })).data;
		await app.page.goto(`${app.page.url().split("#")[0]}#/runs/${run?.id}`);
		await app.page.getByRole("link", { name: "version 1", exact: true }).click();
		await until(() => app.page.url()).toMatch(/\/versions\/1$/);
		await until(() => region("What changed").textContent()).toMatch(/Be brief\. → Theirs\./);
		const viewer = await signInToWebApp(fixture.browser, await fixture.invite("bob@example.com", "viewer"));
		await viewer.page.getByRole("link", { name: "Agents", exact: true }).click();
		await viewer.page.getByRole("link", { name: /Desk/ }).click();
		await until(() => viewer.page.getByRole("heading", { name: "Desk" }).isVisible()).toBe(true);
		expect(await viewer.page.getByRole("link", { name: "Versions", exact: true }).count()).toBe(0);
		expect(viewer.problems).toEqual([]);
		await viewer.close();
		await app.close();
	});
});
