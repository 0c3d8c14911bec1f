import { createHash, randomBytes } from "node:crypto";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createKeyring } from "../encryption/keyring";
import { Secret } from "../encryption/secret";
import { createEncryptionKey } from "../encryption/test-support/encrypted-workspace";
import { deploymentMigrations } from "../store/deployment-tables";
import { insertOriginal } from "../store/sqlite/knowledge/content-chunks";
import { toVectorCode } from "../store/sqlite/knowledge/search/vector-code";
import { openWordIndex } from "../store/sqlite/knowledge/search/word-index";
import { summarizeDatabase } from "../store/sqlite/open-snapshots";
import { EXPORTED_TABLES, OMITTED_TABLES } from "../store/sqlite/transfer/exported-tables";
import { openForReading, openForWriting } from "../store/sqlite-file";
import { workspaceMigrations } from "../store/workspace-tables";
import { exportWorkspace } from "./export-workspace";
import { importWorkspace } from "./import-workspace";
import { openTransferKey } from "./transfer-key";

const ID = "ws_00000000000000000000000001";
const SECRET = "a secret of a tool";
const BINDING = { workspaceId: ID, purpose: "secret:orders", address: "https://orders.example" };
const [oldKey, newKey] = [createEncryptionKey("old"), createEncryptionKey("new")];
const CONTENT = Buffer.concat([
	Buffer.from("The harbour opens at nine. ".repeat(30_000)),
	randomBytes(300_000),
]);

let root: string;
let data: string;
let target: string;
let file: string;
beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), "stemma-export-"));
	[data, target, file] = [join(root, "data"), join(root, "target"), join(root, "w.tar.gz")];
	mkdirSync(join(data, "workspaces"), { recursive: true });
	writeDeployment();
	writeWorkspace();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const toFile = (folder: string): string => join(folder, "workspaces", `${ID}.sqlite`);

function writeDeployment(): void {
	const deployment = openForWriting(join(data, "deployment.sqlite"), deploymentMigrations);
	deployment.database.exec(
		`INSERT INTO workspaces (id, name, created_at) VALUES ('${ID}', 'Harbour', 1), ('ws_00000000000000000000000002', 'Other', 1);` +
			`INSERT INTO users VALUES ('usr_1', 'ada@example.org', 1), ('usr_2', 'of-another@example.org', 1);` +
			`INSERT INTO members VALUES ('${ID}', 'usr_1', 'Ada', 'admin', 'active', 1), ('ws_00000000000000000000000002', 'usr_2', 'B', 'admin', 'active', 1);` +
			`INSERT INTO clients VALUES ('cl_1', '${ID}', 'first', '[]', x'0102', 1), ('cl_2', 'ws_00000000000000000000000002', 'other', '[]', x'03', 1)`,
	);
	deployment.close();
}

function writeWorkspace(): void {
	const workspace = openForWriting(toFile(data), workspaceMigrations);
	workspace.prepare("INSERT INTO workspace_identity (id) VALUES (?)").run(ID);
	workspace.database.exec(
		"INSERT INTO knowledge_bases (id, slug, name, passage_count, created_at, updated_at) VALUES ('kb_gone', 'gone', 'Gone', 0, 1, 1), ('kb_1', 'harbour', 'Harbour', 1, 1, 1);" +
			"DELETE FROM knowledge_bases WHERE id = 'kb_gone'",
	);
	const sha256 = createHash("sha256").update(CONTENT).digest("hex");
	const content = insertOriginal(workspace, CONTENT, sha256);
	workspace
		.prepare(
			"INSERT INTO documents (id, knowledge_base, title, format, status, size_bytes, content_sha256, first_passage, passage_count, metadata, created_at, updated_at, original_content)" +
				" VALUES ('doc_1', 2, 'Opening', 'text', 'ready', ?, ?, 1, 1, '{}', 1, 1, ?)",
		)
		.run(CONTENT.length, sha256, content);
	workspace.database.exec(
		"INSERT INTO passages (number, document, start_offset, end_offset, text) VALUES (1, 1, 0, 10, 'The harbour opens at nine.')",
	);
	const words = { title: "opening", heading: "", text: "the harbour opens at nine" };
	openWordIndex(workspace, 2)(1, words);
	const vector = new Float32Array([0.6, -0.8, 0, 0.1]);
	workspace.prepare("INSERT INTO passage_vectors VALUES (1, ?)").run(new Uint8Array(vector.buffer));
	workspace.prepare("INSERT INTO passage_codes VALUES (2, 1, ?)").run(toVectorCode(vector));
	const envelope = createKeyring([oldKey]).encrypt(new Secret(SECRET), BINDING);
	workspace
		.prepare("INSERT INTO workspace_secrets VALUES ('orders', 'https://orders.example', ?, 1, 1, 'cl_1')")
		.run(envelope);
	workspace.close();
}

const from = (folder: string, ...keys: (typeof oldKey)[]) => ({ data: folder, encryption: { keys } });

const select = (path: string, sql: string): readonly object[] => {
	const opened = openForReading(path);
	try {
		return opened
			.prepare<object>(sql)
			.all()
			.map((row) => ({ ...row }));
	} finally {
		opened.close();
	}
};

it("exports every table, or says why not", () => {
	const { tables } = summarizeDatabase(toFile(data), true);
	expect([...EXPORTED_TABLES, ...OMITTED_TABLES].sort()).toEqual(Object.keys(tables).sort());
});

it("exports, imports and exports again to the same rows, with credentials for another key", async () => {
	const { key } = await openTransferKey(join(root, "key"), true);
	const options = { workspace: "Harbour", transferKey: key };
	const exported = await exportWorkspace(from(data, oldKey), file, options);
	expect(statSync(file).mode & 0o777).toBe(0o600);
	expect(readFileSync(file).includes(SECRET)).toBe(false);
	const { credentials } = await importWorkspace(from(target, newKey), file, { transferKey: key });
	expect(credentials).toBe(1);
	const again = await exportWorkspace(from(target, newKey), join(root, "again.tar.gz"), options);
	const toParts = ({ manifest }: typeof exported) =>
		manifest.parts
			// Each encryption has a nonce of its own.
			.filter(({ kind }) => kind !== "workspace_secrets")
			.map(({ path, sha256, rows }) => ({ path, sha256, rows }));
	expect(toParts(again)).toEqual(toParts(exported));
	const [secret] = select(toFile(target), "SELECT value FROM workspace_secrets") as { value: string }[];
	expect(
		createKeyring([newKey])
			.decrypt(secret?.value ?? "", BINDING)
			?.reveal(),
	).toBe(SECRET);
	expect(select(toFile(target), "SELECT rowid FROM words_of_2 WHERE words_of_2 MATCH 'harbour'")).toEqual([
		{ rowid: 1 },
	]);
	for (const sql of [
		"SELECT * FROM passage_codes",
		"SELECT name, seq FROM sqlite_sequence ORDER BY name",
		"SELECT * FROM content_chunks ORDER BY content, position",
	])
		expect(select(toFile(target), sql)).toEqual(select(toFile(data), sql));
	const deployment = join(target, "deployment.sqlite");
	expect(select(deployment, "SELECT id FROM clients")).toEqual([{ id: "cl_1" }]);
	expect(select(deployment, "SELECT email FROM users")).toEqual([{ email: "ada@example.org" }]);
	expect(readdirSync(target).filter((name) => name.startsWith("."))).toEqual([]);
});

it("leaves credentials and vectors out where that is asked for, and refuses to lose them", async () => {
	await expect(exportWorkspace(from(data, oldKey), file, { workspace: ID })).rejects.toMatchObject({
		code: "transfer_key_missing",
	});
	const { key } = await openTransferKey(join(root, "key"), true);
	await expect(
		exportWorkspace(from(data, newKey), file, { workspace: ID, transferKey: key }),
	).rejects.toMatchObject({ code: "credential_undecryptable" });
	await expect(exportWorkspace(from(data), file, { workspace: "none" })).rejects.toMatchObject({
		code: "workspace_not_found",
	});
	expect(existsSync(file)).toBe(false);
	await exportWorkspace(from(data), file, { workspace: ID, withoutSecrets: true, withoutVectors: true });
	await importWorkspace(from(target), file);
	expect(select(toFile(target), "SELECT name FROM workspace_secrets")).toEqual([]);
	expect(select(toFile(target), "SELECT number FROM passage_vectors")).toEqual([]);
	expect(select(toFile(data), "SELECT name FROM workspace_secrets")).toHaveLength(1);
});

it("refuses a workspace, a name and a person that are there, and changes nothing", async () => {
	await exportWorkspace(from(data), file, { workspace: ID, withoutSecrets: true });
	await expect(importWorkspace(from(data), file)).rejects.toMatchObject({ code: "workspace_exists" });
	const change = (sql: string): void => {
		mkdirSync(target, { recursive: true });
		const deployment = openForWriting(join(target, "deployment.sqlite"), deploymentMigrations);
		deployment.database.exec(sql);
		deployment.close();
	};
	change(
		"INSERT INTO workspaces (id, name, created_at) VALUES ('ws_00000000000000000000000009', 'Harbour', 1)",
	);
	await expect(importWorkspace(from(target), file)).rejects.toMatchObject({ code: "workspace_name_taken" });
	change("INSERT INTO users VALUES ('usr_9', 'ada@example.org', 1)");
	await expect(importWorkspace(from(target), file, { name: "New" })).rejects.toMatchObject({
		code: "user_conflict",
	});
	expect(readdirSync(join(target, "workspaces"))).toEqual([]);
	change("DELETE FROM users");
	expect((await importWorkspace(from(target), file, { name: "New" })).name).toBe("New");
});

it("removes what an import that was killed has left", async () => {
	await exportWorkspace(from(data), file, { workspace: ID, withoutSecrets: true });
	const staging = join(target, ".importing-00000000-0000-0000-0000-000000000000");
	mkdirSync(staging, { recursive: true });
	mkdirSync(join(target, "workspaces"));
	writeFileSync(join(staging, "workspace-id"), ID);
	writeFileSync(toFile(target), "half of a file");
	const other = join(root, "other.tar.gz");
	writeFileSync(other, "no archive");
	await expect(importWorkspace(from(target), other)).rejects.toMatchObject({ code: "archive_incomplete" });
	expect(existsSync(toFile(target)) || existsSync(staging)).toBe(false);
	await importWorkspace(from(target), file);
});
