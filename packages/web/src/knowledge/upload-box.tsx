import { visibleText } from "@stemma/client";
import { useEffect, useState, useSyncExternalStore } from "react";
import { useApp } from "../data/app-context";
import { formatPercent } from "../data/format";
import { useAction } from "../data/use-action";
import { ErrorNotice } from "../shell/error-notice";
import { STRINGS } from "../strings/strings";
import { DropZone } from "./drop-zone";
import { readDroppedFiles, toDroppedFiles } from "./dropped-files";
import { type UploadItem, UploadQueue } from "./upload-queue";

interface UploadBoxProps {
	readonly knowledgeBaseId: string;
	readonly onUploaded: () => void;
}

/** Upload of files and folders to a knowledge base, with what is on its way. */
export function UploadBox({ knowledgeBaseId, onUploaded }: UploadBoxProps) {
	const words = STRINGS.knowledge;
	const { stemma } = useApp();
	const [queue] = useState(
		() =>
			new UploadQueue(
				(request, options) => stemma.knowledge.documents.upload(knowledgeBaseId, request, options),
				onUploaded,
			),
	);
	const items = useSyncExternalStore(queue.subscribe, queue.get);
	useEffect(() => () => queue.close(), [queue]);
	const drop = useAction(async (data: DataTransfer) => queue.add(await readDroppedFiles(data)));
	return (
		<section className="panel" aria-label={words.upload}>
			<h2>{words.upload}</h2>
			<DropZone
				onDrop={(data) => void drop.run(data)}
				onChoose={(files) => queue.add(toDroppedFiles(files))}
			/>
			<ErrorNotice error={drop.error} />
			{items.length > 0 && (
				<>
					<ul className="uploads" aria-label={words.uploads}>
						{items.map((item) => (
							<UploadRow key={item.key} item={item} onCancel={() => queue.cancel(item.key)} />
						))}
					</ul>
					<button type="button" onClick={() => queue.clear()}>
						{words.clearUploads}
					</button>
				</>
			)}
		</section>
	);
}

function UploadRow({ item, onCancel }: { readonly item: UploadItem; readonly onCancel: () => void }) {
	const words = STRINGS.knowledge;
	const { status, share, error } = item;
	const name = visibleText(item.name);
	const states: Readonly<Record<UploadItem["status"], string>> = {
		waiting: words.waiting,
		uploading: words.uploading(formatPercent(share)),
		uploaded: words.uploaded,
		failed: words.statuses.failed,
		cancelled: words.cancelled,
	};
	return (
		<li data-status={status}>
			<span className="clip" dir="auto">
				{name}
			</span>
			<span className="small">{states[status]}</span>
			{(status === "waiting" || status === "uploading") && (
				<>
					<progress max={1} value={share} aria-label={name} />
					<button type="button" aria-label={words.cancelUpload(name)} onClick={onCancel}>
						{STRINGS.app.cancel}
					</button>
				</>
			)}
			<ErrorNotice error={error} />
		</li>
	);
}
