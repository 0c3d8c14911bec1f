// node record-data-folder.mjs <built clone> <folder>: serves a new data folder with that clone, fills it over HTTP (documents, an
// agent, a run, sealed settings), and writes it to a file of the folder with what it answered, as JSON, compressed.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";

const DOCUMENTS = {
	"refunds.md": "# Refunds\n\nRefunds take five working days. They go to the card that paid.\n",
	"opening.md": "# Opening hours\n\nThe desk opens at nine and closes at six. On Sundays it is closed.\n",
	"warranty.html":
		"<h1>Warranty</h1><p>The warranty of a lamp lasts three years from the day of purchase.</p>",
	"gone.md": "# Gone\n\nThis page about unicorns was deleted.\n",
};
const QUERY = "How long does the warranty of a lamp last?";

const [clone = "", target = ""] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "stemma-record-"));
const data = join(folder, "data");
const encryptionKey = randomBytes(32).toString("base64");
const service = spawn(
	process.execPath,
	[join(clone, "packages/cli/dist/main.js"), "serve", "--data", data, "--port", "0"],
	{
		stdio: ["ignore", "ignore", "pipe"],
		env: { PATH: process.env.PATH, HOME: folder, STEMMA_ENCRYPTION_KEY: encryptionKey },
	},
);
try {
	const url = await readUrl();
	const expected = await fill(url, await fetchToken(url));
	await stop();
	const { workspace, deployment } = readVersions();
	const file = join(target, `${workspace}-${deployment}.json.gz`);
	writeFileSync(
		file,
		gzipSync(JSON.stringify({ encryptionKey, expected, files: readFiles(data) }), { level: 9 }),
	);
	console.log(file);
} finally {
	await stop();
	rmSync(folder, { recursive: true, force: true });
}

async function stop() {
	if (service.exitCode !== null || service.signalCode !== null) return;
	const ended = new Promise((resolve) => service.once("close", resolve));
	service.kill("SIGTERM");
	await ended;
}

function readUrl() {
	let output = "";
	return new Promise((resolve, reject) => {
		service.stderr.on("data", (chunk) => {
			output += chunk;
			const found = /http:\/\/[\w.:[\]]+\d/u.exec(output)?.[0];
			if (found !== undefined) resolve(found);
		});
		service.once("close", () => reject(new Error(`The service ended: ${output}`)));
	});
}

async function fetchToken(url) {
	const name = readdirSync(data).find((entry) => /credentials.*\.json$/u.test(entry));
	const { client_id, client_secret } = JSON.parse(readFileSync(join(data, name), "utf8"));
	const body = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret });
	return (await (await fetch(`${url}/oauth/token`, { method: "POST", body })).json()).access_token;
}

async function fill(url, token) {
	async function send(method, path, body) {
		const response = await fetch(`${url}/v1${path}`, {
			method,
			headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
		return JSON.parse(text);
	}
	const base = (await send("POST", "/knowledge-bases", { name: "Handbook" })).id;
	for (const [source, text] of Object.entries(DOCUMENTS)) {
		const format = source.endsWith(".html") ? { format: "html" } : {};
		await send("POST", `/knowledge-bases/${base}/documents`, { text, source, title: source, ...format });
	}
	const documents = await waitUntilReady(send, base);
	const gone = documents.find(({ source }) => source === "gone.md");
	await send("DELETE", `/knowledge-bases/${base}/documents/${gone.id}`);
	const graph = {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ id: "books", kind: "knowledge", knowledgeBases: [base] },
		],
		edges: [{ from: "desk", to: "books", mode: "before" }],
	};
	const agent = (await send("POST", "/agents", { graph, slug: "desk" })).id;
	const run = await send("POST", `/agents/${agent}/run`, { input: QUERY });
	const runs = await send("GET", "/runs?limit=1");
	const { passages } = await send("POST", "/search", { query: QUERY, knowledge_base_ids: [base] });
	const client = await send("POST", "/clients", { name: "reader", scopes: ["ask"] });
	await send("PUT", "/workspace/llm-settings", {
		provider: "openai-compatible",
		base_url: "https://api.openai.com/v1",
		model: "gpt-5.4-mini",
		api_key: "sk-recorded-and-never-used",
	});
	return {
		knowledgeBase: base,
		sources: Object.keys(DOCUMENTS).filter((source) => source !== "gone.md"),
		query: QUERY,
		first: passages[0].text,
		agent,
		run: { id: runs.data[0].id, status: run.status, output: run.output },
		client: { client_id: client.id ?? client.client_id, client_secret: client.client_secret },
		settings: { base_url: "https://api.openai.com/v1", model: "gpt-5.4-mini" },
	};
}

async function waitUntilReady(send, base) {
	for (;;) {
		const { data: documents } = await send("GET", `/knowledge-bases/${base}/documents?limit=100`);
		if (documents.every(({ status }) => status === "ready")) return documents;
		await wait(100);
	}
}

/** Number of migrations of the workspace's file and of the deployment's. */
function readVersions() {
	const workspaces = readdirSync(join(data, "workspaces")).filter((name) => name.endsWith(".sqlite"));
	const readVersion = (path) => {
		const database = new DatabaseSync(path, { readOnly: true });
		const { user_version } = database.prepare("PRAGMA user_version").get();
		database.close();
		return user_version;
	};
	return {
		workspace: readVersion(join(data, "workspaces", workspaces[0])),
		deployment: readVersion(join(data, "deployment.sqlite")),
	};
}

/** Files of the data folder by their paths, in base64. */
function readFiles(parent) {
	const entries = readdirSync(parent, { recursive: true, withFileTypes: true }).filter(
		(entry) => entry.isFile() && !/^ballast$|lock|-shm$|-wal$|\.log$/u.test(entry.name),
	);
	return Object.fromEntries(
		entries.map((entry) => {
			const path = join(entry.parentPath, entry.name);
			return [relative(parent, path), readFileSync(path).toString("base64")];
		}),
	);
}
