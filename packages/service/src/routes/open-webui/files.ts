import * as z from "zod";
import { readAuthor } from "../../audit/audit-author";
import { DomainError } from "../../errors/domain-error";
import { requireCaller } from "../../http/auth/authenticate";
import { useErrorFormat } from "../../http/errors/use-error-format";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import type { DocumentUploadInput } from "../../knowledge/ingest/new-document";
import { type PushedFile, readDirectoryId, toFileKey } from "../../sources/push/pushed-file";
import { requireSpace } from "../../storage/require-space";
import { checkInput } from "../../validation/check-input";
import { withDocumentUpload } from "../knowledge/with-document-upload";
import { directoryId, hash, knowledgeId, MAX_PATH_CHARACTERS } from "./fields";
import { toOpenWebUiError } from "./open-webui-error";
import { toFileView, toStatusView } from "./views";

/** Field `metadata` of an upload, which says what the file is for. */
const uploadMetadata = z.strictObject({
	knowledge_id: knowledgeId,
	file_hash: hash,
	directory_id: directoryId.nullish(),
});

/** `/api/v1/files`: files for knowledge bases, as `oikb` of Open WebUI sends them. */
export function addOpenWebUiFileRoutes(app: ServiceApp): void {
	const requireWrite = requireCaller({ scopes: ["knowledge:write"], clientSecrets: true, sessions: false });
	const errors = useErrorFormat(toOpenWebUiError);

	for (const path of ["/api/v1/files/", "/api/v1/files"])
		app.post(path, errors, requireWrite, async (context) => {
			await requireSpace(toScope(context));
			assertForm(context);
			const stored = await withDocumentUpload(context, ({ uploads: [upload, ...more] }) => {
				if (upload === undefined || more.length > 0) throw oneFileOnly();
				return storeFile(context, upload);
			});
			return context.json({ status: true, ...toFileView(stored) });
		});

	app.get("/api/v1/files/:fileId/process/status", errors, requireWrite, async (context) => {
		const { pushedFiles } = context.get("workspace");
		return context.json(toStatusView(await pushedFiles.get(context.req.param("fileId"))));
	});
}

async function storeFile(context: ServiceContext, upload: DocumentUploadInput): Promise<PushedFile> {
	const { metadata = {}, ...file } = upload;
	const { knowledge_id, file_hash, directory_id } = checkInput(uploadMetadata, metadata, '"metadata"');
	const path = directory_id == null ? "" : readDirectoryId(directory_id);
	if (path === undefined || path.length > MAX_PATH_CHARACTERS) throw directoryUnknown();
	const { knowledge, pushedFiles } = context.get("workspace");
	const { id } = await knowledge.getKnowledgeBase(knowledge_id);
	const { models } = context.get("kernel");
	models.plan(["index"], { knowledgeBases: await knowledge.listKnowledgeBaseModels([id]) });
	const key = toFileKey(path, file.fileName ?? "");
	return pushedFiles.store(id, { key, hash: file_hash, upload: file }, readAuthor(toScope(context)));
}

function assertForm({ req }: ServiceContext): void {
	if (/^multipart\/form-data\b/i.test(req.header("content-type") ?? "")) return;
	throw new DomainError("unsupported_media_type", "A file is sent as a form (multipart/form-data).", {
		hint: 'Send the parts "file" and "metadata".',
	});
}

const oneFileOnly = (): DomainError =>
	new DomainError("invalid_request", "An upload has one file.", { param: "file" });

const directoryUnknown = (): DomainError =>
	new DomainError("invalid_request", "There is no such folder.", {
		param: "directory_id",
		hint: "The ids of folders are in `directory_map` of the comparison.",
	});
