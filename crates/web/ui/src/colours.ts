// Theme colours for canvases, which ignore style sheets and so must be redrawn when the theme changes.

interface Picture {
  draw: () => void;
}

/** A colour of the theme, by the name of its custom property. */
export const token = (name: string): string =>
  name.startsWith('--') ? getComputedStyle(document.documentElement).getPropertyValue(name).trim() : name;

const pictures = new Set<Picture>();
export const keepColours = (picture: Picture): void => { pictures.add(picture); };
export const dropColours = (picture: Picture): void => { pictures.delete(picture); };
/** Redraws every picture. */
export const redrawPictures = (): void => pictures.forEach(picture => picture.draw());
