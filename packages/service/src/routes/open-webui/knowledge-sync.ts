import type { KnowledgeBase } from "@stemma/client";
import { clock } from "@stemma/core/internal";
import * as z from "zod";
import { DomainError } from "../../errors/domain-error";
import { requireCaller } from "../../http/auth/authenticate";
import { readJson, readQuery } from "../../http/body/read-json";
import { useErrorFormat } from "../../http/errors/use-error-format";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { compareManifest } from "../../sources/push/compare-manifest";
import { readDirectoryId, toDirectoryId } from "../../sources/push/pushed-file";
import { directoryId, folderPath, hash } from "./fields";
import { toOpenWebUiError } from "./open-webui-error";
import { toFileView, toKnowledgeView } from "./views";

const PATH = "/api/v1/knowledge/:id";

/** Files of one comparison, and of one request to remove some. Each has five values of the 100,000 that JSON may have. */
const MAX_MANIFEST_FILES = 19_000;
const MAX_MANIFEST_BYTES = 8 * 1024 * 1024;
const MAX_PAGE_FILES = 250;
const DEFAULT_PAGE_FILES = 30;
const MAX_FILE_NAME_CHARACTERS = 500;

const fileName = z.string().min(1).max(MAX_FILE_NAME_CHARACTERS);
const fileId = z.string().max(10_000);

const diffBody = z.strictObject({
	manifest: z
		.array(
			z.strictObject({
				path: folderPath,
				filename: fileName,
				checksum: hash,
				size: z.int().min(0).nullish(),
			}),
		)
		.max(MAX_MANIFEST_FILES),
});
const cleanupBody = z.strictObject({
	file_ids: z.array(fileId).max(MAX_MANIFEST_FILES),
	dir_ids: z.array(directoryId).max(MAX_MANIFEST_FILES).nullish(),
});
const directoryBody = z.strictObject({
	name: folderPath.min(1).refine((name) => !name.includes("/"), "must be one name"),
	parent_id: directoryId.nullish(),
});
const addBody = z.strictObject({ file_id: fileId, directory_id: directoryId.nullish() });
const pageQuery = z.strictObject({
	page: z
		.string()
		.regex(/^[1-9]\d{0,6}$/)
		.transform(Number)
		.exactOptional(),
});
const resetQuery = z.strictObject({ include_directories: z.enum(["true", "false"]).exactOptional() });

/** `/api/v1/knowledge/:id`: the routes by which `oikb` of Open WebUI mirrors files into a knowledge base. */
export function addOpenWebUiKnowledgeRoutes(app: ServiceApp): void {
	const errors = useErrorFormat(toOpenWebUiError);
	const requireWrite = requireCaller({ scopes: ["knowledge:write"], clientSecrets: true, sessions: false });

	app.get(PATH, errors, requireWrite, async (context) => context.json(await describe(context)));

	app.get(`${PATH}/files`, errors, requireWrite, async (context) => {
		const { page = 1 } = readQuery(context, pageQuery);
		const limit = readLimit(context);
		const files = await context.get("workspace").pushedFiles.list((await getBase(context)).id);
		const start = (page - 1) * limit;
		return context.json({ items: files.slice(start, start + limit).map(toFileView), total: files.length });
	});

	app.post(`${PATH}/sync/diff`, errors, requireWrite, async (context) => {
		const { manifest } = await readJson(context, diffBody, { maxBytes: MAX_MANIFEST_BYTES });
		const files = await context.get("workspace").pushedFiles.list((await getBase(context)).id);
		return context.json(compareManifest(manifest, files));
	});

	app.post(`${PATH}/sync/cleanup`, errors, requireWrite, async (context) => {
		const { file_ids } = await readJson(context, cleanupBody, { maxBytes: MAX_MANIFEST_BYTES });
		await context.get("workspace").pushedFiles.remove((await getBase(context)).id, file_ids);
		return context.json({ status: true });
	});

	app.post(`${PATH}/dirs/create`, errors, requireWrite, async (context) => {
		const body = await readJson(context, directoryBody);
		const { id } = await getBase(context);
		return context.json(toDirectoryView(id, body, Math.floor(clock.now() / 1000)));
	});

	app.post(`${PATH}/file/add`, errors, requireWrite, async (context) => {
		const { file_id } = await readJson(context, addBody);
		const base = await getBase(context);
		// It was added when it was sent: there are no files outside of knowledge bases. A sync adds each of its files, so that
		// one alone is read.
		const file = await context.get("workspace").pushedFiles.getIn(base.id, file_id);
		return context.json(toKnowledgeView(base, [file]));
	});

	app.post(`${PATH}/reset`, errors, requireWrite, async (context) => {
		readQuery(context, resetQuery);
		const { pushedFiles } = context.get("workspace");
		const { id } = await getBase(context);
		await pushedFiles.remove(
			id,
			(await pushedFiles.list(id)).map((file) => file.id),
		);
		return context.json(await describe(context));
	});
}

/** A folder as its creation shows it. Folders are not stored: they are where files have them in their names. */
function toDirectoryView(
	knowledge_id: string,
	{ name, parent_id }: z.infer<typeof directoryBody>,
	now: number,
): Record<string, string | number | null> {
	const parent = parent_id == null ? "" : readDirectoryId(parent_id);
	if (parent === undefined) throw folderUnknown();
	const id = toDirectoryId(parent === "" ? name : `${parent}/${name}`);
	return { id, knowledge_id, name, parent_id: parent_id ?? null, created_at: now, updated_at: now };
}

/** The knowledge base that a request names by id or slug. */
const getBase = (context: ServiceContext): Promise<KnowledgeBase> =>
	context.get("workspace").knowledge.getKnowledgeBase(context.req.param("id") ?? "");

async function describe(context: ServiceContext) {
	const base = await getBase(context);
	return toKnowledgeView(base, await context.get("workspace").pushedFiles.list(base.id));
}

/** `limit` of a list of files: larger ones are those of a page. */
function readLimit(context: ServiceContext): number {
	const text = context.req.query("limit");
	if (text === undefined) return DEFAULT_PAGE_FILES;
	if (/^[1-9]\d{0,5}$/.test(text)) return Math.min(Number(text), MAX_PAGE_FILES);
	throw new DomainError("invalid_request", '"limit" must be a whole number, 1 or more.', { param: "limit" });
}

const folderUnknown = (): DomainError =>
	new DomainError("invalid_request", "There is no such folder.", { param: "parent_id" });
