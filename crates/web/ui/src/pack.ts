// Packs a text into an address: compressed and URL-safe.

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

export async function pack(text: string): Promise<string> {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Fails if the input was not packed here, or unpacks to something longer. */
export async function unpack(packed: string, most: number): Promise<string> {
  // Compression never makes a text much longer.
  if (packed.length > 2 * most) throw new Error('too long');
  const bytes = Uint8Array.from(atob(packed.replaceAll('-', '+').replaceAll('_', '/')), letter => letter.charCodeAt(0));
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await through(bytes, new DecompressionStream('deflate-raw')));
  if (text.length > most) throw new Error('too long');
  return text;
}
