import type { GitSourceSettings } from "@stemma/client";
import { isJsonObject, parseJson } from "@stemma/core/internal";
import { SourceError } from "../../source-error";
import type { Connector, ScanContext, SourceItem } from "../connector";
import { createPathFilter } from "../path-patterns";
import { readAtMost } from "../read-body";
import { type GitArchive, parseRepository, resolveArchive, toCredentialOrigin } from "./archive-address";
import { ARCHIVE_LIMITS } from "./archive-limits";
import { readArchiveState, toKind, writeArchiveState } from "./archive-state";
import { type ArchiveFile, readArchive } from "./read-archive";

/** Connector of Git repositories, by the archive of a ref. A file's version is its blob hash in Git. */
export const gitConnector: Connector<GitSourceSettings> = {
	async *scan(settings, context) {
		const credential = await context.readCredential(toCredentialOrigin(settings));
		const ref = settings.ref ?? (await findDefaultRef(settings, credential, context));
		const archive = resolveArchive(settings, ref, credential);
		const known = readArchiveState(settings, context);
		const { body: stream, etag } = await requestArchive(archive, known, context);
		if (stream === null) {
			await context.markAllUnchanged();
			if (context.state !== null) context.setState(context.state);
			return;
		}
		const omitted = new Set<string>();
		const select = createSelection(settings, context, omitted);
		let hasFiles = false;
		for await (const file of readArchive(stream, ARCHIVE_LIMITS)) {
			context.signal.throwIfAborted();
			const path = select(file.path);
			if (path === undefined) continue;
			hasFiles = true;
			const item = await readFile(file, path, archive, context);
			if (item !== undefined) yield item;
		}
		if (!hasFiles && settings.path !== undefined) throw pathNotFoundError(settings.path);
		if (etag !== null) writeArchiveState({ etag, omitted }, settings, context);
	},
};

/** Archives of Gitea know no `HEAD`: its default branch is asked for. */
async function findDefaultRef(
	settings: GitSourceSettings,
	credential: string | undefined,
	{ fetch }: ScanContext,
): Promise<string> {
	const { host, url, path } = parseRepository(settings);
	if (host !== "gitea" || settings.archive_url !== undefined) return "HEAD";
	const { headers } = resolveArchive(settings, "HEAD", credential);
	const { status, body } = await fetch(`${url.origin}/api/v1/repos/${path}`, { headers });
	const bytes = body === null ? undefined : await readAtMost(body, MAX_REPOSITORY_BYTES);
	if (status !== 200) throw statusError(status);
	const repository = parseJson(new TextDecoder().decode(bytes));
	const branch = isJsonObject(repository) ? repository.default_branch : undefined;
	return typeof branch === "string" ? branch : "main";
}

const MAX_REPOSITORY_BYTES = 1024 * 1024;

interface ArchiveResponse {
	/** `null`: the archive is the known one. */
	readonly body: ReadableStream<Uint8Array> | null;
	readonly etag: string | null;
}

/** @param known - entity tag of the archive that was read last. */
async function requestArchive(
	{ url, headers: own }: GitArchive,
	known: string | undefined,
	{ fetch }: ScanContext,
): Promise<ArchiveResponse> {
	const headers = known === undefined ? own : { ...own, "if-none-match": known };
	const response = await fetch(url, { headers, maxBytes: ARCHIVE_LIMITS.maxArchiveBytes + 1 });
	const { status, body } = response;
	if (status === 200 && body !== null) return { body, etag: response.headers.get("etag") };
	await body?.cancel();
	if (status === 304 && known !== undefined) return { body: null, etag: known };
	throw statusError(status);
}

/** Path below the source's folder, of files that are documents and match its patterns. */
function createSelection(
	settings: GitSourceSettings,
	{ isDocument }: Pick<ScanContext, "isDocument">,
	omitted: Set<string>,
): (path: string) => string | undefined {
	const folder = (settings.path ?? "")
		.split("/")
		.filter((part) => part !== "" && part !== ".")
		.join("/");
	const isIncluded = createPathFilter(settings);
	let root: string | undefined;
	return (path) => {
		// Archives of repositories have all files in one folder, whose name tells the commit.
		root ??= `${path.split("/", 1)[0]}/`;
		const own = path.startsWith(root) ? path.slice(root.length) : path;
		const isInside = folder === "" || own.startsWith(`${folder}/`);
		const isHidden = own.split("/").some((part) => part.startsWith(".") || part === "node_modules");
		if (!isInside || isHidden) return undefined;
		if (!isDocument(own)) {
			omitted.add(toKind(own));
			return undefined;
		}
		return isIncluded(folder === "" ? own : own.slice(folder.length + 1)) ? own : undefined;
	};
}

const LFS_POINTER = "version https://git-lfs.github.com/spec/v1\n";

async function readFile(
	file: ArchiveFile,
	path: string,
	archive: GitArchive,
	{ find, limits }: ScanContext,
): Promise<SourceItem | undefined> {
	const { maxItemBytes } = limits;
	const isLarge = (file.size ?? 0) > maxItemBytes;
	const bytes = isLarge ? undefined : await file.read(maxItemBytes);
	if (bytes === undefined) {
		const message = `The file is larger than ${maxItemBytes.toLocaleString("en")} bytes, the maximum.`;
		return { kind: "skipped", key: path, code: "too_large", message };
	}
	if (Buffer.from(bytes.subarray(0, LFS_POINTER.length)).toString() === LFS_POINTER) {
		const message = "The file is kept in Git LFS: the archive has only a pointer to it.";
		return { kind: "skipped", key: path, code: "lfs_pointer", message };
	}
	const version = await hashBlob(bytes);
	if ((await find(path))?.version === version) return { kind: "unchanged", key: path };
	return {
		kind: "content",
		key: path,
		version,
		fileName: path.split("/").at(-1) ?? path,
		title: null,
		url: archive.toWebAddress(path),
		mediaType: null,
		bytes,
	};
}

/** Hash of a file as Git has it (`git hash-object`), beside the main thread. */
export async function hashBlob(bytes: Uint8Array): Promise<string> {
	const blob = Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes]);
	return Buffer.from(await crypto.subtle.digest("SHA-1", blob)).toString("hex");
}

const pathNotFoundError = (path: string): SourceError =>
	new SourceError(`The repository has no documents in the folder ${JSON.stringify(path)}.`, {
		code: "path_not_found",
		hint: "Check `path`, `include` and `exclude`. No document was deleted.",
	});

function statusError(status: number): SourceError {
	if (status === 404)
		return new SourceError("The repository or its ref was not found.", {
			code: "repository_not_found",
			hint: "Check `url` and `ref`. Hosts say so of private repositories, too: name a secret with an access token as `credential`.",
		});
	if (status === 401 || status === 403)
		return new SourceError(`The host refuses access to the repository (status ${status}).`, {
			code: "access_denied",
			hint: "Check that the access token in the source's `credential` is valid and may read the repository.",
		});
	return new SourceError(`The host of the repository responded with status ${status}.`, {
		code: status === 429 || status === 503 ? "source_busy" : "bad_status",
		hint: "The documents stay as they were; the next sync tries again.",
	});
}
