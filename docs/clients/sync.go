// Keeps a copy of a site's reviews up to date: go run sync.go https://reviews.example.com copy.json
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"net/http"
	"os"
	"reflect"
	"time"
)

// Review has every key of the published record.
type Review map[string]any

func (r Review) id() string { return r["id"].(string) }

type LocalCopy struct {
	ChangesETag string          `json:"changes_etag"`
	ReviewsETag string          `json:"reviews_etag"`
	Removed     map[string]bool `json:"removed"`
	Reviews     []Review        `json:"reviews"`
}

// Reads the document, and returns its ETag. Returns false if the document still has the ETag.
func fetch(url, etag string, document any) (string, bool) {
	request, err := http.NewRequest("GET", url, nil)
	check(err)
	if etag != "" {
		request.Header.Set("If-None-Match", etag)
	}
	client := http.Client{Timeout: 10 * time.Minute}
	response, err := client.Do(request)
	check(err)
	defer response.Body.Close()
	if response.StatusCode == http.StatusNotModified {
		return etag, false
	}
	if response.StatusCode != http.StatusOK {
		log.Fatalf("%s: %s", url, response.Status)
	}
	check(json.NewDecoder(response.Body).Decode(document))
	return response.Header.Get("ETag"), true
}

// Stores the reviews that are not withdrawn, and prints what is different.
func (c *LocalCopy) save(file string, reviews []Review) {
	old, now := map[string]Review{}, map[string]bool{}
	for _, review := range c.Reviews {
		old[review.id()] = review
	}
	c.Reviews = []Review{}
	for _, review := range reviews {
		id := review.id()
		if c.Removed[id] {
			continue
		}
		now[id] = true
		c.Reviews = append(c.Reviews, review)
		if before, known := old[id]; !known { // A program with tables of its own changes them here.
			fmt.Println("added", id)
		} else if !reflect.DeepEqual(before, review) {
			fmt.Println("changed", id)
		}
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
	var changes struct {
		Changes []struct{ ID, Change string }
	}
	if etag, changed := fetch(site+"/changes.json", c.ChangesETag, &changes); changed {
		c.ChangesETag, c.Removed = etag, map[string]bool{}
		for _, change := range changes.Changes {
			if change.Change == "removed" {
				c.Removed[change.ID] = true
			}
		}
		c.ReviewsETag = "" // After a change, reviews.json is fetched without a condition.
		c.save(file, c.Reviews)
	}
	var document struct{ Reviews []Review }
	if etag, changed := fetch(site+"/reviews.json", c.ReviewsETag, &document); changed {
		c.ReviewsETag = etag
		c.save(file, document.Reviews)
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
