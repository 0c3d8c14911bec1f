import { visibleText } from "@stemma/client";
import { type ChangeEvent, type DragEvent, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useApp } from "../data/app-context";
import { formatPercent } from "../data/format";
import { STRINGS } from "../data/strings";
import { useAction } from "../data/use-action";
import { ErrorNotice } from "../shell/error-notice";
import { readDroppedFiles, toDroppedFiles } from "./dropped-files";
import { type UploadItem, UploadQueue } from "./upload-queue";

interface UploadBoxProps {
	readonly knowledgeBaseId: string;
	readonly onUploaded: () => void;
}

/** Place to drop files and folders on, or to choose them, with what is on its way. */
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
	const [isOver, setOver] = useState(false);
	const field = useRef<HTMLInputElement>(null);
	useEffect(() => () => queue.close(), [queue]);
	const drop = useAction(async (data: DataTransfer) => queue.add(await readDroppedFiles(data)));
	const onDrop = (event: DragEvent) => {
		event.preventDefault();
		setOver(false);
		void drop.run(event.dataTransfer);
	};
	const onChoose = (event: ChangeEvent<HTMLInputElement>) => {
		queue.add(toDroppedFiles(event.target.files ?? []));
		event.target.value = "";
	};
	return (
		<section className="panel" aria-label={words.upload}>
			<h2>{words.upload}</h2>
			{/* biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same by keys. */}
			<div
				className="drop"
				data-over={isOver}
				onDragOver={(event) => {
					event.preventDefault();
					setOver(true);
				}}
				onDragLeave={() => setOver(false)}
				onDrop={onDrop}
			>
				<p>
					{words.drop}{" "}
					<button type="button" onClick={() => field.current?.click()}>
						{words.choose}
					</button>
				</p>
				<p className="small">{words.dropHint}</p>
				<input
					ref={field}
					className="hidden"
					type="file"
					multiple
					tabIndex={-1}
					aria-label={words.choose}
					onChange={onChoose}
				/>
			</div>
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
