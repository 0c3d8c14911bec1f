import { type ChangeEvent, type DragEvent, useRef, useState } from "react";
import { STRINGS } from "../strings/strings";

interface DropZoneProps {
	readonly onDrop: (data: DataTransfer) => void;
	readonly onChoose: (files: Iterable<File>) => void;
}

/** Area to drop files and folders on, with a button to choose files instead. */
export function DropZone({ onDrop, onChoose }: DropZoneProps) {
	const words = STRINGS.knowledge;
	const [isOver, setOver] = useState(false);
	const field = useRef<HTMLInputElement>(null);
	const onDragOver = (event: DragEvent) => {
		event.preventDefault();
		setOver(true);
	};
	const drop = (event: DragEvent) => {
		event.preventDefault();
		setOver(false);
		onDrop(event.dataTransfer);
	};
	const choose = (event: ChangeEvent<HTMLInputElement>) => {
		onChoose(event.target.files ?? []);
		event.target.value = "";
	};
	return (
		// biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same by keys.
		<div
			className="drop"
			data-over={isOver}
			onDragOver={onDragOver}
			onDragLeave={() => setOver(false)}
			onDrop={drop}
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
				onChange={choose}
			/>
		</div>
	);
}
