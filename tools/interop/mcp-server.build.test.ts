import { createHarness } from "@stemma/simulators/processes";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FACT, type Handbook, ingestHandbook, QUESTION } from "../end-to-end/handbook";
import { type ServiceProcess, startService, vendorEnvironment } from "../end-to-end/servers";
import { startVendor, type Vendor } from "../end-to-end/vendor";
import { getAccessToken } from "./access-token";
import { type ClientProcess, startClientProcess } from "./client-process";
import { isInstalled } from "./peers";

const harness = createHarness();
let vendor: Vendor;
let service: ServiceProcess;
let handbook: Handbook;
/** Bound to the knowledge base; for programs that are no browsers. */
let clientKey: string;

beforeAll(async () => {
	if (!isInstalled) return;
	vendor = await startVendor();
	service = await startService(harness, { env: vendorEnvironment(vendor.baseUrl, vendor.apiKey) });
	handbook = await ingestHandbook(service.stemma);
	const key = await service.stemma.clientKeys.create({
		name: "assistant",
		native: true,
		requests_per_minute: 10_000,
		tokens_per_day: 100_000_000,
	});
	clientKey = key.client_key;
});
afterAll(async () => {
	await harness.end();
	await vendor?.close();
});

interface Connected {
	readonly server: { readonly name: string };
	readonly protocolVersion: string;
	readonly instructions?: string;
	readonly capabilities: object;
}

interface Listed {
	readonly tools: readonly {
		readonly name: string;
		readonly outputSchema?: object;
		readonly inputSchema: object;
	}[];
}

interface Called {
	readonly structuredContent?: Readonly<Record<string, unknown>>;
	readonly content: readonly { readonly type: string; readonly text?: string }[];
	readonly isError?: boolean;
	/** How far it was, on its way. */
	readonly progressEvents: readonly { readonly progress: number; readonly message?: string }[];
}

const clientCredentials = () => ({
	clientCredentials: {
		clientId: service.credentials.client_id,
		clientSecret: service.credentials.client_secret,
		expectedIssuer: service.url,
	},
});

const OPEN_TO_KEYS = ["ask", "fetch", "list_knowledge_bases", "search"];
const ALL = [...OPEN_TO_KEYS, "list_documents"];

const CREDENTIALS = [
	{ title: "a client key", credential: () => ({ token: clientKey }), tools: OPEN_TO_KEYS },
	{
		title: "an access token",
		credential: async () => ({ token: await getAccessToken(service) }),
		tools: ALL,
	},
	{ title: "a client id and secret", credential: clientCredentials, tools: ALL },
];

const CLIENTS = [
	{ title: "v1", program: "mcp-client-v1", protocolVersion: "2025-11-25" },
	{ title: "v2, auto", program: "mcp-client-v2", mode: "auto", protocolVersion: "2026-07-28" },
	{ title: "v2, legacy", program: "mcp-client-v2", mode: "legacy", protocolVersion: "2025-11-25" },
];

describe.skipIf(!isInstalled).each(CLIENTS)(
	"the official MCP client $title and the service",
	({ program, mode, protocolVersion }) => {
		let client: ClientProcess;
		beforeAll(() => {
			client = startClientProcess(program);
		});
		afterAll(() => client.end());

		const connect = (credential: object) =>
			client.run<Connected>("connect", { url: `${service.url}/mcp`, mode, ...credential });
		/** Fails where structured content is not as the schema says that was listed. */
		const call = (name: string, args: object) => client.run<Called>("callTool", { name, arguments: args });

		it.each(CREDENTIALS)("uses every tool that it sees with $title", async ({ credential, tools }) => {
			expect(await connect(await credential())).toMatchObject({
				protocolVersion,
				server: { name: "stemma" },
				instructions: expect.stringContaining("knowledge bases"),
				capabilities: { tools: {} },
			});
			const listed = await client.run<Listed>("listTools");
			expect(listed.tools.map(({ name }) => name).toSorted()).toEqual(tools.toSorted());
			for (const { outputSchema } of listed.tools) expect(outputSchema).toMatchObject({ type: "object" });

			const bases = await call("list_knowledge_bases", {});
			expect(bases.structuredContent).toMatchObject({
				data: [expect.objectContaining({ id: handbook.knowledgeBaseId, name: "Handbook" })],
			});

			const { structuredContent: found } = await call("search", { query: QUESTION });
			expect(found?.passages).toContainEqual(
				expect.objectContaining({ text: expect.stringContaining(FACT) }),
			);
			const [first] = (found?.results ?? []) as readonly { readonly id: string }[];
			for (const id of [first?.id, handbook.documentId]) {
				const { structuredContent: fetched } = await call("fetch", { id });
				expect(fetched).toMatchObject({
					id,
					title: expect.stringMatching(/./),
					text: expect.stringMatching(/./),
				});
				if (id === handbook.documentId) expect(fetched?.text).toContain(FACT);
			}

			const asked = await call("ask", { question: QUESTION });
			expect(asked.structuredContent).toMatchObject({ answer: expect.stringContaining(FACT) });
			expect(asked.progressEvents.map(({ message }) => message)).toContain("Looking for passages.");
			expect(asked.progressEvents.map(({ progress }) => progress)).toEqual(
				asked.progressEvents.map((_, index) => index + 1),
			);
			// Clients that know no structured content read the same as text.
			for (const { content, structuredContent } of [bases, asked])
				expect(JSON.parse(content[0]?.text ?? "")).toEqual(structuredContent);
		});

		it("gives up a call, at the model too", async () => {
			await connect({ token: clientKey });
			await client.run("listTools");
			const mark = crypto.randomUUID();
			const isRequested = ({ body }: Vendor["requests"][number]) =>
				JSON.stringify(body ?? {}).includes(mark) && JSON.stringify(body).includes('"stream":true');
			const args = { question: `${QUESTION} #stall ${mark}` };
			const given = expect(
				client.run("callTool", { as: mark, name: "ask", arguments: args }),
			).rejects.toThrow(/abort/i);
			await expect.poll(() => vendor.requests.some(isRequested)).toBe(true);
			await client.run("abort", { as: mark });
			await given;
			await expect
				.poll(() => vendor.requests.filter(isRequested))
				.toEqual([expect.objectContaining({ isAborted: true })]);
		});

		it("reads a list page by page", async () => {
			await connect({ token: await getAccessToken(service) });
			await client.run("listTools");
			const base = { knowledge_base_id: handbook.knowledgeBaseId };
			const { structuredContent: page } = await call("list_documents", { ...base, limit: 3 });
			expect(page).toMatchObject({ has_more: true, next: expect.any(String) });
			expect(page?.data).toHaveLength(3);
			const { structuredContent: rest } = await call("list_documents", { ...base, after: page?.next });
			expect(rest).toMatchObject({ has_more: false, next: null });
			expect(rest?.data).toHaveLength(7);
		});

		it.each([
			["fetch", { id: "doc_nowhere" }],
			["search", {}],
			["search", { query: 7 }],
			["list_documents", { knowledge_base_id: "kb_nowhere" }],
		])("is told what was wrong with a call, as a result for the model: %s %j", async (name, args) => {
			await connect({ token: await getAccessToken(service) });
			expect(await call(name, args)).toMatchObject({
				isError: true,
				content: [{ type: "text", text: expect.stringMatching(/\w/) }],
			});
		});

		it("is told that there is no such tool", async () => {
			await connect({ token: clientKey });
			await expect(call("nowhere", {})).rejects.toThrow("nowhere");
		});

		it("is told which scope a client key lacks for a tool that it does not see", async () => {
			await connect({ token: clientKey });
			await expect(call("list_documents", { knowledge_base_id: handbook.knowledgeBaseId })).rejects.toThrow(
				"knowledge:read",
			);
		});

		it.each([
			{ title: "no credential", credential: {} },
			{ title: "a wrong one", credential: { token: "ck_01m8070fxqesqsq86jpe1s5qt9_of-nobody" } },
		])("is not let in with $title", async ({ credential }) => {
			await expect(connect(credential)).rejects.toThrow(/401|Unauthorized|credential/i);
		});

		it("is not let in with a wrong secret", async () => {
			const { clientCredentials: right } = clientCredentials();
			const failure = await connect({ clientCredentials: { ...right, clientSecret: "cs_of-nobody" } }).catch(
				(error: unknown) => error,
			);
			expect(failure).toMatchObject({ message: expect.stringContaining("client secret is wrong") });
			expect(JSON.stringify(failure)).not.toContain("cs_of-nobody");
		});

		it("is not let in from a page of elsewhere", async () => {
			const token = await getAccessToken(service);
			const page = { headers: { origin: "https://elsewhere.example" } };
			await expect(connect({ token, ...page })).rejects.toThrow(/403|origin/i);
		});
	},
);
