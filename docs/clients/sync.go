// Keeps a copy of a site's reviews up to date: go run sync.go https://reviews.example.com copy.json
package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/http"
	"os"
	"reflect"
	"strings"
	"time"
)

// Review has every key of the published record.
type Review map[string]any

func (r Review) id() string { return r["id"].(string) }

type Part struct {
	Path      string   `json:"path"`
	Integrity string   `json:"integrity"`
	Reviews   []Review `json:"reviews"`
}

type LocalCopy struct {
	ChangesETag string          `json:"changes_etag"`
	PartsETag   string          `json:"parts_etag"`
	Removed     map[string]bool `json:"removed"`
	Parts       []Part          `json:"parts"`
}

// Returns the document and its ETag, or its date if the server has no ETags; nil if the document still has it, or if
// it is missing.
func fetch(url, etag string) (body []byte, tag string, missing bool) {
	request, err := http.NewRequest("GET", url, nil)
	check(err)
	if strings.Contains(etag, `"`) {
		request.Header.Set("If-None-Match", etag)
	} else if etag != "" {
		request.Header.Set("If-Modified-Since", etag)
	}
	client := http.Client{Timeout: 10 * time.Minute}
	response, err := client.Do(request)
	check(err)
	defer response.Body.Close()
	if response.StatusCode == http.StatusNotModified {
		return nil, etag, false
	}
	if response.StatusCode == http.StatusNotFound {
		return nil, "", true
	}
	if response.StatusCode != http.StatusOK {
		log.Fatalf("%s: %s", url, response.Status)
	}
	body, err = io.ReadAll(response.Body)
	check(err)
	if tag = response.Header.Get("ETag"); tag == "" {
		tag = response.Header.Get("Last-Modified")
	}
	return body, tag, false
}

// Returns a document that every site has.
func fetchExisting(url, etag string) ([]byte, string) {
	body, tag, missing := fetch(url, etag)
	if missing {
		log.Fatalf("%s: 404", url)
	}
	return body, tag
}

// Returns a part, which is checked: a cache may have an old one.
func fetchPart(site string, listed Part) Part {
	body, _ := fetchExisting(site+"/"+listed.Path, "")
	hash := sha256.Sum256(body)
	if "sha256-"+base64.StdEncoding.EncodeToString(hash[:]) != listed.Integrity {
		log.Fatalf("%s is not the one that parts.json lists; the next run fetches it", listed.Path)
	}
	check(json.Unmarshal(body, &listed))
	return listed
}

// Stores the reviews that are not withdrawn, and prints what is different.
func (c *LocalCopy) save(file string, parts []Part) {
	old, now := map[string]Review{}, map[string]bool{}
	for _, part := range c.Parts {
		for _, review := range part.Reviews {
			old[review.id()] = review
		}
	}
	c.Parts = []Part{}
	for _, part := range parts {
		kept := []Review{}
		for _, review := range part.Reviews {
			id := review.id()
			if c.Removed[id] {
				part.Integrity = "" // The part is fetched again: the review may be published again.
				continue
			}
			now[id] = true
			kept = append(kept, review)
			if before, known := old[id]; !known { // A program with tables of its own changes them here.
				fmt.Println("added", id)
			} else if !reflect.DeepEqual(before, review) {
				fmt.Println("changed", id)
			}
		}
		c.Parts = append(c.Parts, Part{part.Path, part.Integrity, kept})
	}
	for id := range old {
		if !now[id] {
			fmt.Println("removed", id)
		}
	}
	bytes, err := json.Marshal(c)
	check(err)
	check(os.WriteFile(file+".part", bytes, 0o644))
	check(os.Rename(file+".part", file))
}

func main() {
	site, file := os.Args[1], os.Args[2]
	var c LocalCopy
	if bytes, err := os.ReadFile(file); !errors.Is(err, fs.ErrNotExist) {
		check(err)
		check(json.Unmarshal(bytes, &c))
	}
	if body, etag := fetchExisting(site+"/changes.json", c.ChangesETag); body != nil {
		var changes struct {
			Changes []struct{ ID, Change string }
		}
		check(json.Unmarshal(body, &changes))
		c.ChangesETag, c.Removed = etag, map[string]bool{}
		for _, change := range changes.Changes {
			if change.Change == "removed" {
				c.Removed[change.ID] = true
			}
		}
		c.PartsETag = "" // After a change, parts.json is fetched without a condition.
		c.save(file, c.Parts)
	}
	body, etag, missing := fetch(site+"/parts.json", c.PartsETag)
	if missing { // The site has no parts: its reviews are one.
		if body, etag := fetchExisting(site+"/reviews.json", c.PartsETag); body != nil {
			whole := Part{Path: "reviews.json"}
			check(json.Unmarshal(body, &whole))
			c.PartsETag = etag
			c.save(file, []Part{whole})
		}
	} else if body != nil {
		var list struct{ Parts []Part }
		check(json.Unmarshal(body, &list))
		known := map[string]Part{}
		for _, part := range c.Parts {
			known[part.Path+part.Integrity] = part
		}
		parts := []Part{}
		for _, listed := range list.Parts {
			part, ok := known[listed.Path+listed.Integrity]
			if !ok {
				part = fetchPart(site, listed)
			}
			parts = append(parts, part)
		}
		c.PartsETag = etag
		c.save(file, parts)
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
