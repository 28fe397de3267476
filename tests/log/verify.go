// Verifies a log with golang.org/x/mod/sumdb, an implementation of transparency logs that has no code in
// common with crates/log: its notes, its Merkle tree, its tiles.
//
//	verify FOLDER
//
// The folder has the log in log/, with the signature of a witness on its checkpoint and a policy (C2SP tlog-policy)
// that asks for it, the log's verifier keys in keys, one per line, checkpoints that were kept earlier in kept/, and
// proofs of single entries (C2SP tlog-proof) in proofs/.
package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const tileHeight = 8

// site has the bytes of each file by its path.
type site map[string][]byte

func main() {
	if len(os.Args) != 2 {
		fail(errors.New("usage: verify FOLDER"))
	}
	files, err := load(os.Args[1])
	if err != nil {
		fail(err)
	}
	proved, err := verify(files)
	if err != nil {
		fail(err)
	}
	fmt.Println(proved)
	refused, err := refuseFlippedBytes(files)
	if err != nil {
		fail(err)
	}
	fmt.Printf("%d logs with one changed bit are refused\n", refused)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "error:", err)
	os.Exit(1)
}

func load(folder string) (site, error) {
	files := site{}
	err := filepath.Walk(folder, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(name)], err = os.ReadFile(path)
		return err
	})
	return files, err
}

// verify checks everything that the log promises, and says what it has checked.
func verify(files site) (string, error) {
	keys, err := verifiers(files)
	if err != nil {
		return "", err
	}
	tree, err := open(files["log/checkpoint"], keys)
	if err != nil {
		return "", fmt.Errorf("checkpoint: %w", err)
	}
	hashes := tlog.TileHashReader(tree, files)
	root, err := tlog.TreeHash(tree.N, hashes)
	if err != nil || root != tree.Hash {
		return "", fmt.Errorf("the tiles have the root %v and not %v: %v", root, tree.Hash, err)
	}
	entries, err := files.entries(tree.N)
	if err != nil {
		return "", err
	}
	if err := checkLevel0(files, entries); err != nil {
		return "", err
	}
	kept, err := checkKept(files, keys, tree, hashes)
	if err != nil {
		return "", err
	}
	for n, entry := range entries {
		proof, err := tlog.ProveRecord(tree.N, int64(n), hashes)
		if err != nil {
			return "", fmt.Errorf("entry %d: %w", n, err)
		}
		if err := tlog.CheckRecord(proof, tree.N, tree.Hash, int64(n), tlog.RecordHash(entry)); err != nil {
			return "", fmt.Errorf("entry %d: %w", n, err)
		}
	}
	witnessed, err := checkCosigned(files, keys)
	if err != nil {
		return "", fmt.Errorf("cosigned: %w", err)
	}
	proofs, err := checkProofs(files, keys)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d entries are included, %d kept checkpoints are continued, %d proofs hold, %d keys and the witness %s have signed",
		tree.N, kept, proofs, len(keys), witnessed), nil
}

// checkProofs checks each proof without the rest of the log, and returns how many there are.
func checkProofs(files site, keys []note.Verifier) (int, error) {
	proofs := 0
	for name, text := range files {
		if !strings.HasPrefix(name, "proofs/") {
			continue
		}
		if err := checkProof(string(text), keys); err != nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
		proofs++
	}
	if proofs == 0 {
		return 0, errors.New("there are no proofs")
	}
	return proofs, nil
}

// checkProof checks a proof as C2SP tlog-proof describes it. Its extra data are the entry.
func checkProof(text string, keys []note.Verifier) error {
	head, checkpoint, found := strings.Cut(text, "\n\n")
	lines := strings.Split(head, "\n")
	if !found || len(lines) < 3 || lines[0] != "c2sp.org/tlog-proof@v1" ||
		!strings.HasPrefix(lines[1], "extra ") || !strings.HasPrefix(lines[2], "index ") {
		return errors.New("not a proof")
	}
	entry, err := base64.StdEncoding.DecodeString(lines[1][len("extra "):])
	if err != nil {
		return err
	}
	index, err := strconv.ParseInt(lines[2][len("index "):], 10, 64)
	if err != nil {
		return err
	}
	var path tlog.RecordProof
	for _, line := range lines[3:] {
		hash, err := tlog.ParseHash(line)
		if err != nil {
			return err
		}
		path = append(path, hash)
	}
	tree, err := open([]byte(checkpoint), keys)
	if err != nil {
		return err
	}
	return tlog.CheckRecord(path, tree.N, tree.Hash, index, tlog.RecordHash(entry))
}

// witness verifies cosignatures as C2SP tlog-cosignature describes them, which sumdb/note does not know.
type witness struct {
	name string
	id   uint32
	key  ed25519.PublicKey
}

func newWitness(line string) (*witness, error) {
	fields := strings.SplitN(line, "+", 3)
	if len(fields) != 3 {
		return nil, errors.New("the key has not three parts")
	}
	id, err := strconv.ParseUint(fields[1], 16, 32)
	if err != nil {
		return nil, err
	}
	key, err := base64.StdEncoding.DecodeString(fields[2])
	if err != nil || len(key) != 1+ed25519.PublicKeySize || key[0] != 4 {
		return nil, errors.New("the key is not one for cosignatures")
	}
	hash := sha256.Sum256(append([]byte(fields[0]+"\n"), key...))
	if binary.BigEndian.Uint32(hash[:]) != uint32(id) {
		return nil, errors.New("the id is not that of the key")
	}
	return &witness{fields[0], uint32(id), key[1:]}, nil
}

func (w *witness) Name() string    { return w.name }
func (w *witness) KeyHash() uint32 { return w.id }

func (w *witness) Verify(text, signature []byte) bool {
	if len(signature) != 8+ed25519.SignatureSize {
		return false
	}
	signed := fmt.Sprintf("cosignature/v1\ntime %d\n%s", binary.BigEndian.Uint64(signature), text)
	return ed25519.Verify(w.key, []byte(signed), signature[8:])
}

// checkCosigned checks that the only witness of the policy and every key have signed the checkpoint, and returns the witness.
func checkCosigned(files site, keys []note.Verifier) (string, error) {
	words := strings.Fields(string(files["log/policy.txt"]))
	if len(words) != 5 || words[0] != "witness" || words[3] != "quorum" || words[4] != words[1] {
		return "", fmt.Errorf("not a policy with one witness: %q", words)
	}
	witness, err := newWitness(words[2])
	if err != nil {
		return "", err
	}
	opened, err := note.Open(files["log/checkpoint"], note.VerifierList(append(keys, witness)...))
	if err != nil {
		return "", err
	}
	if len(opened.Sigs) != len(keys)+1 {
		return "", fmt.Errorf("%d of %d have signed", len(opened.Sigs), len(keys)+1)
	}
	return witness.name, nil
}

func verifiers(files site) ([]note.Verifier, error) {
	var keys []note.Verifier
	for _, line := range strings.Fields(string(files["keys"])) {
		key, err := note.NewVerifier(line)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", line, err)
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, errors.New("there are no keys")
	}
	return keys, nil
}

// open checks that every key has signed the checkpoint, and that it is one of the log of the keys.
func open(signed []byte, keys []note.Verifier) (tlog.Tree, error) {
	var tree tlog.Tree
	opened, err := note.Open(signed, note.VerifierList(keys...))
	if err != nil {
		return tree, err
	}
	if len(opened.Sigs) != len(keys) {
		return tree, fmt.Errorf("%d of %d keys have signed", len(opened.Sigs), len(keys))
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 || lines[3] != "" || lines[0] != keys[0].Name() {
		return tree, fmt.Errorf("not a checkpoint of %s: %q", keys[0].Name(), opened.Text)
	}
	if tree.N, err = strconv.ParseInt(lines[1], 10, 64); err != nil {
		return tree, err
	}
	hash, err := base64.StdEncoding.DecodeString(lines[2])
	if err != nil || len(hash) != tlog.HashSize {
		return tree, fmt.Errorf("bad root hash %q", lines[2])
	}
	copy(tree.Hash[:], hash)
	return tree, nil
}

// entries reads the entry bundles of a log of this size.
func (files site) entries(size int64) ([][]byte, error) {
	var entries [][]byte
	for n := int64(0); n<<tileHeight < size; n++ {
		tile := tlog.Tile{H: tileHeight, L: 0, N: n, W: width(size, n)}
		path := strings.Replace(path(tile), "/0/", "/entries/", 1)
		rest, found := files[path]
		if !found {
			return nil, fmt.Errorf("%s is missing", path)
		}
		for len(rest) > 0 {
			if len(rest) < 2 || len(rest) < 2+int(binary.BigEndian.Uint16(rest)) {
				return nil, fmt.Errorf("%s is truncated", path)
			}
			end := 2 + int(binary.BigEndian.Uint16(rest))
			entries = append(entries, rest[2:end])
			rest = rest[end:]
		}
	}
	if int64(len(entries)) != size {
		return nil, fmt.Errorf("%d entries and not %d", len(entries), size)
	}
	return entries, nil
}

func width(size, tile int64) int {
	if rest := size - tile<<tileHeight; rest < 1<<tileHeight {
		return int(rest)
	}
	return 1 << tileHeight
}

// checkLevel0 checks that each entry has its hash in the tile of level 0.
func checkLevel0(files site, entries [][]byte) error {
	size := int64(len(entries))
	for n, entry := range entries {
		index := int64(n) >> tileHeight
		name := path(tlog.Tile{H: tileHeight, L: 0, N: index, W: width(size, index)})
		at := (n & (1<<tileHeight - 1)) * tlog.HashSize
		hash := tlog.RecordHash(entry)
		if tile := files[name]; len(tile) < at+tlog.HashSize || string(tile[at:at+tlog.HashSize]) != string(hash[:]) {
			return fmt.Errorf("entry %d does not have its hash in %s", n, name)
		}
	}
	return nil
}

// checkKept checks that the log continues each kept checkpoint, and returns how many there are.
func checkKept(files site, keys []note.Verifier, tree tlog.Tree, hashes tlog.HashReader) (int, error) {
	kept := 0
	for name, signed := range files {
		if !strings.HasPrefix(name, "kept/") {
			continue
		}
		older, err := open(signed, keys)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
		proof, err := tlog.ProveTree(tree.N, older.N, hashes)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
		if err := tlog.CheckTree(proof, tree.N, tree.Hash, older.N, older.Hash); err != nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
		kept++
	}
	if kept == 0 {
		return 0, errors.New("there are no kept checkpoints")
	}
	return kept, nil
}

// refuseFlippedBytes changes one bit in the first, the middle and the last byte of each file of the log and of
// each kept checkpoint, one at a time.
func refuseFlippedBytes(files site) (int, error) {
	var names []string
	for name := range files {
		if name != "keys" && name != "log/policy.txt" {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	refused := 0
	for _, name := range names {
		original := files[name]
		for _, at := range []int{0, len(original) / 2, len(original) - 1} {
			changed := append([]byte(nil), original...)
			changed[at] ^= 1
			files[name] = changed
			if _, err := verify(files); err == nil {
				return 0, fmt.Errorf("%s: a changed bit in byte %d is not noticed", name, at)
			}
			refused++
		}
		files[name] = original
	}
	return refused, nil
}

// path gives the path of C2SP tlog-tiles, which has no height and another name for entries.
func path(tile tlog.Tile) string {
	return "log/" + strings.Replace(tile.Path(), "tile/8/", "tile/", 1)
}

// Height, ReadTiles and SaveTiles make the files a tlog.TileReader.
func (files site) Height() int { return tileHeight }

// ReadTiles reads hash tiles.
func (files site) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var data [][]byte
	for _, tile := range tiles {
		bytes, found := files[path(tile)]
		if !found {
			return nil, fmt.Errorf("%s is missing", path(tile))
		}
		data = append(data, bytes)
	}
	return data, nil
}

// SaveTiles saves nothing.
func (files site) SaveTiles([]tlog.Tile, [][]byte) {}
