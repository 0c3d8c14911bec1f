import type { DocumentFormatName } from "@stemma/client";
import {
	documentNotFound,
	documentNotReady,
	knowledgeBaseNotFound,
	originalNotStored,
	textNotStored,
} from "./knowledge-errors";
import type { ContentRepository, DocumentContents, StoredContent } from "./repositories/content-repository";

/** File or text of a document, or a part of the text, to be read piece by piece. */
export interface OpenedContent {
	readonly title: string;
	/** Name of the file at the uploader; a label only. */
	readonly fileName: string | null;
	readonly format: DocumentFormatName;
	/** Size in bytes. */
	readonly size: number;
	/** Equal for equal bytes alone. */
	readonly tag: string;
	/**
	 * Reads from a position before the end on, at most 256 KiB.
	 *
	 * @throws DomainError `document_not_found` where the document was deleted or replaced meanwhile.
	 */
	read(position: number): Promise<Uint8Array>;
}

/** Range of a text in UTF-16 code units, as places of passages have it; `end` is exclusive. */
export interface CharacterRange {
	readonly start?: number | undefined;
	readonly end?: number | undefined;
}

/** Files and texts of the documents of a workspace, as they were uploaded and read. */
export interface DocumentContentStore {
	/** @throws DomainError `knowledge_base_not_found`, `document_not_found`, `original_not_stored` */
	openOriginal(knowledgeBaseId: string, id: string): Promise<OpenedContent>;
	/**
	 * Opens the text that the passages of a document were cut from.
	 *
	 * @throws DomainError `knowledge_base_not_found`, `document_not_found`, `document_not_ready`, `text_not_stored`
	 */
	openText(knowledgeBaseId: string, id: string, range?: CharacterRange): Promise<OpenedContent>;
}

export function createDocumentContentStore(repository: ContentRepository): DocumentContentStore {
	async function find(knowledgeBaseId: string, id: string): Promise<DocumentContents> {
		const found = await repository.find(knowledgeBaseId, id);
		if (found === "no_knowledge_base") throw knowledgeBaseNotFound(knowledgeBaseId);
		if (found === "no_document") throw documentNotFound(id);
		return found;
	}

	function open(
		id: string,
		{ title, file_name, format }: DocumentContents,
		{ number, sha256, size }: StoredContent,
	): OpenedContent {
		return {
			...{ title, fileName: file_name, format, size, tag: sha256 },
			async read(position) {
				const bytes = await repository.read(number, position);
				if (bytes === undefined) throw documentNotFound(id);
				return bytes;
			},
		};
	}

	return {
		async openOriginal(knowledgeBaseId, id) {
			const document = await find(knowledgeBaseId, id);
			if (document.original === null) throw originalNotStored(id);
			return open(id, document, document.original);
		},
		async openText(knowledgeBaseId, id, { start = 0, end } = {}) {
			const document = await find(knowledgeBaseId, id);
			const { text, status } = document;
			if (text === null) throw status === "ready" ? textNotStored(id) : documentNotReady(id, status);
			const opened = open(id, document, text);
			if (start === 0 && end === undefined) return opened;
			const range = await repository.findTextRange({ content: text.number, start, end });
			if (range === undefined) throw documentNotFound(id);
			return {
				...opened,
				size: range.end - range.start,
				tag: `${opened.tag}-${range.start}-${range.end}`,
				read: (position) => opened.read(range.start + position),
			};
		},
	};
}
