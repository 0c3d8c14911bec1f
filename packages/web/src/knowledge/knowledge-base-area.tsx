import { visibleText } from "@stemma/client";
import { useCallback, useState } from "react";
import { useApp, useScope } from "../data/app-context";
import { useResource } from "../data/use-resource";
import { DocumentViewer } from "../documents/document-viewer";
import { ErrorNotice } from "../shell/error-notice";
import { toHref } from "../shell/route";
import { STRINGS } from "../strings/strings";
import { AccessPanel } from "./access-panel";
import { BaseSettings } from "./base-settings";
import { DocumentTable } from "./document-table";
import type { OpenDocument } from "./open-document";
import { SearchBox } from "./search-box";
import { UploadBox } from "./upload-box";

/** One knowledge base: uploads, documents, search, settings; and the document that is read. */
export function KnowledgeBaseArea({ id }: { readonly id: string }) {
	const words = STRINGS.knowledge;
	const { stemma } = useApp();
	const mayWrite = useScope("knowledge:write");
	const base = useResource(`knowledge base ${id}`, (signal) => stemma.knowledge.get(id, { signal }));
	const [opened, setOpened] = useState<OpenDocument>();
	const [uploads, setUploads] = useState(0);
	const onUploaded = useCallback(() => setUploads((count) => count + 1), []);
	return (
		<div className="split" data-source={opened !== undefined}>
			<div className="page">
				<a href={toHref("knowledge")}>← {words.back}</a>
				<h1 dir="auto">{visibleText(base.value?.name ?? "…")}</h1>
				{base.value?.description && <p dir="auto">{visibleText(base.value.description)}</p>}
				<ErrorNotice error={base.error} onRetry={() => void base.reload()} />
				{base.value && (
					<>
						{mayWrite && <UploadBox knowledgeBaseId={base.value.id} onUploaded={onUploaded} />}
						<DocumentTable knowledgeBaseId={base.value.id} uploads={uploads} onOpen={setOpened} />
						<SearchBox knowledgeBaseId={base.value.id} onOpen={setOpened} />
						{mayWrite && <AccessPanel base={base.value} onChange={() => void base.reload()} />}
						{mayWrite && <BaseSettings base={base.value} onChanged={base.reload} />}
					</>
				)}
			</div>
			{opened && (
				<DocumentViewer
					key={`${opened.documentId} ${opened.passage?.place.start}`}
					documentId={opened.documentId}
					citation={opened.passage}
					onClose={() => setOpened(undefined)}
				/>
			)}
		</div>
	);
}
