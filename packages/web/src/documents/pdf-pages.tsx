import { useEffect, useRef, useState } from "react";
import { formatNumber } from "../data/format";
import { useResource } from "../data/use-resource";
import { STRINGS } from "../strings/strings";
import { type OpenPdf, openPdf, type PageSize } from "./open-pdf";
import { type PageBox, toMarkStyles } from "./page-marks";
import "./pdf-pages.css";

interface PdfPagesProps {
	/** Address of the file. */
	readonly url: string;
	/** Page to show first, from 1. */
	readonly firstPage: number;
	/** Boxes to mark; empty where the passage is not there any more. */
	readonly boxes: readonly PageBox[];
}

const ZOOMS = [1, 1.5, 2, 3] as const;

/** A PDF file page by page, as it was made, with the cited lines marked. */
export function PdfPages({ url, firstPage, boxes }: PdfPagesProps) {
	const words = STRINGS.viewer;
	const pdf = useResource(url, (signal) => openPdf(url, signal));
	const [shown, setShown] = useState(firstPage);
	const [zoom, setZoom] = useState(0);
	if (pdf.error !== undefined)
		return (
			<p className="notice bad" role="alert">
				{words.noPages}
			</p>
		);
	if (pdf.value === undefined) return <p role="status">{STRINGS.app.loading}</p>;
	const { pageCount } = pdf.value;
	const page = Math.min(shown, pageCount);
	const label = words.pageOf(formatNumber(page), formatNumber(pageCount));
	return (
		<>
			<PdfBar
				label={label}
				page={page}
				pageCount={pageCount}
				zoom={zoom}
				onPage={setShown}
				onZoom={setZoom}
			/>
			<PdfPage key={page} pdf={pdf.value} page={page} label={label} zoom={ZOOMS[zoom] ?? 1} boxes={boxes} />
		</>
	);
}

interface PdfBarProps {
	/** Number of the page, and of all pages. */
	readonly label: string;
	readonly page: number;
	readonly pageCount: number;
	/** Place in `ZOOMS`. */
	readonly zoom: number;
	readonly onPage: (page: number) => void;
	readonly onZoom: (zoom: number) => void;
}

/** Buttons to other pages, and to other sizes. */
function PdfBar({ label, page, pageCount, zoom, onPage, onZoom }: PdfBarProps) {
	const words = STRINGS.viewer;
	const buttons = {
		previous: { name: words.previousPage, sign: "‹", isOff: page === 1, press: () => onPage(page - 1) },
		next: { name: words.nextPage, sign: "›", isOff: page === pageCount, press: () => onPage(page + 1) },
		smaller: { name: words.smaller, sign: "−", isOff: zoom === 0, press: () => onZoom(zoom - 1) },
		larger: {
			name: words.larger,
			sign: "+",
			isOff: zoom === ZOOMS.length - 1,
			press: () => onZoom(zoom + 1),
		},
	};
	return (
		<div className="row pdf-bar">
			<BarButton {...buttons.previous} />
			<span className="small" role="status">
				{label}
			</span>
			<BarButton {...buttons.next} />
			<span className="person" />
			<BarButton {...buttons.smaller} />
			<BarButton {...buttons.larger} />
		</div>
	);
}

interface BarButtonProps {
	readonly name: string;
	readonly sign: string;
	readonly isOff: boolean;
	readonly press: () => void;
}

function BarButton({ name, sign, isOff, press }: BarButtonProps) {
	return (
		<button type="button" className="icon" aria-label={name} title={name} disabled={isOff} onClick={press}>
			<span aria-hidden="true">{sign}</span>
		</button>
	);
}

interface PdfPageProps {
	readonly pdf: OpenPdf;
	readonly page: number;
	readonly label: string;
	/** Times the width of the panel. */
	readonly zoom: number;
	readonly boxes: readonly PageBox[];
}

/** Picture of a page, with its marks. */
function PdfPage({ pdf, page, label, zoom, boxes }: PdfPageProps) {
	const canvas = useRef<HTMLCanvasElement>(null);
	const [size, setSize] = useState<PageSize>();
	const [hasFailed, setFailed] = useState(false);
	// biome-ignore lint/correctness/useExhaustiveDependencies: a larger page is drawn again, with more pixels.
	useEffect(() => {
		const element = canvas.current;
		if (element === null) return;
		const controller = new AbortController();
		const { signal } = controller;
		const width = element.clientWidth * globalThis.devicePixelRatio;
		pdf.draw(page, element, width, signal).then(setSize, () => setFailed(!signal.aborted));
		return () => controller.abort();
	}, [pdf, page, zoom]);
	const marks = size === undefined ? [] : toMarkStyles(boxes, page, size);
	const first = useRef<HTMLElement>(null);
	useEffect(() => {
		if (size !== undefined) first.current?.scrollIntoView({ block: "center" });
	}, [size]);
	return (
		<div className="pdf-scroll">
			{hasFailed && <p className="notice bad">{STRINGS.viewer.noPages}</p>}
			<div className="pdf-page" style={{ width: `${zoom * 100}%` }} data-drawn={size !== undefined}>
				<canvas ref={canvas} role="img" aria-label={label} />
				{marks.map((style, index) => (
					<mark key={style.top + style.left} ref={index === 0 ? first : undefined} style={style} />
				))}
			</div>
		</div>
	);
}
