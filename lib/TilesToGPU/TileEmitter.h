//===- TileEmitter.h - One thread's code for a tile -*- C++ -* ----------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TILESTOGPU_TILEEMITTER_H
#define RLSCAN_TILESTOGPU_TILEEMITTER_H

#include "TilesToGPU/DeviceArrays.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace rlscan {

class Bounds; // Segments.cpp

/// Where a thread stands in its workgroup.
struct ThreadPlace {
  mlir::Value lane;  // i32, of the row's lanes
  mlir::Value group; // i64, of the row's groups
  mlir::Value row;   // i64, of the workgroup's rows
  // i32, positions of the tile: the thread's first, and its group's.
  mlir::Value first, groupFirst;
};

/// The tile that a thread works on. Positions in it are i32, from its first one
/// on; those of the window reach from `low` to before `high`, as far as they
/// are near. Where the tile is past the window, `start` is the window's last
/// position and none is inside. Threads of a row past the last do what those of
/// the last one do, and store the same bits to the same places.
struct TilePlace {
  bool isFull = false;    // all positions are known to be inside the window
  mlir::Value row;        // i64; may be past the last
  mlir::Value clampedRow; // i64, a row of the window
  mlir::Value tile;       // i64, number in the row
  mlir::Value parity;     // i64, 0 and 1 in turns
  mlir::Value start;      // i64, the tile's first position in the row
  mlir::Value low;        // i32, at most 0
  mlir::Value high;       // i32, at least 1
  mlir::Value inside; // i32, as `high`, but 0 where the tile is past the window
  mlir::Value left;   // i32, `inside` from the thread's first on
};

/// What goes from one tile of a row to the next in registers: the carries (f64)
/// and the last values of the neighbours that have no edge.
using ChainState = llvm::MapVector<mlir::Operation *, mlir::Value>;
/// Elements that were read ahead, as they are stored.
using ReadAhead = llvm::MapVector<mlir::Operation *, mlir::Value>;

/// What code depends on of the target.
struct TargetTraits {
  Vendor vendor;
  unsigned subgroupSize;
  int64_t sharedBytes; // that a workgroup may have
  bool asyncCopies;    // from global to shared memory, past the registers
};

/// The arrays of a kernel in the workgroup's shared memory. Its sweeps have
/// them one after the other, with a barrier in between.
class SharedArrays {
public:
  /// Gives all arrays back, for the next sweep.
  void release();
  /// The address of `count` elements that nobody has; kept, they are not given
  /// back.
  mlir::Value take(ThreadBuilder &b, mlir::Type element, int64_t count,
                   bool isKept = false);
  int64_t bytes() const { return size; }

private:
  struct Array {
    mlir::Type type;
    mlir::Value address;
    bool isTaken, isKept;
  };

  llvm::SmallVector<Array> arrays;
  int64_t size = 0;
};

/// Emits the body of an `rlscan.tiles` for the thread that runs it.
class TileEmitter {
public:
  TileEmitter(ThreadBuilder &b, TilesOp tiles, ScheduleAttr schedule,
              const DeviceCall &call, const TargetTraits &target,
              SharedArrays &shared);

  /// The code of the whole op: all tiles that this thread has a part in.
  void emitAll();

private:
  // TileEmitter.cpp: the chain of tiles.
  ThreadPlace makeThreadPlace();
  TilePlace makeTilePlace(mlir::Value row, mlir::Value tile, mlir::Value parity,
                          bool isFull = false);
  mlir::Value row();
  void emitInvariants(bool withRows);
  void emitTile(const TilePlace &place, const ReadAhead &ahead);
  void takeAhead(const ReadAhead &ahead);
  bool isEmitted(mlir::Operation *op);
  void emitOp(mlir::Operation *op);
  /// The thread's value of one of the op's; null before it is emitted.
  mlir::Value get(mlir::Value value);
  bool isLookBack() const { return schedule.getChain() == Chain::LookBack; }

  // TileChain.cpp: tiles one after the other.
  ChainState initialState();
  void emitOnce();
  void emitLoop();
  void walkFullTiles(mlir::Value full, ChainState &chain);
  void emitFullTiles(mlir::Value full, ChainState &chain);
  void takeThroughTile(mlir::Value tile, const ReadAhead &ahead,
                       ChainState &chain);
  TilePlace makeFullPlace(mlir::Value tile);
  mlir::Value parityOf(mlir::Value tile);

  // FragmentAccess.cpp: memory.
  ReadAhead readAhead(const TilePlace &place);
  bool canReadAhead(LoadOp load) const;
  mlir::Value load(LoadOp load, const TilePlace &place);
  mlir::Value fromMemory(LoadOp load, mlir::Value loaded);
  mlir::Value loadAccess(const DeviceArray &array, mlir::VectorType type,
                         mlir::Value pointer);
  mlir::Value loadFragment(const DeviceArray &array, mlir::Value rowPointer,
                           const TilePlace &place);
  mlir::Value loadElement(const DeviceArray &array, mlir::Value pointer);
  mlir::Value loadEach(LoadOp load, const DeviceArray &array,
                       mlir::Value rowPointer, const TilePlace &place);
  mlir::Value entryPointer(LoadOp load, const DeviceArray &array,
                           mlir::Value step, unsigned position);
  void emitStore(StoreOp store);
  void storeLast(const DeviceArray &array, mlir::Value rowPointer,
                 mlir::Value stored);
  void storeFragment(const DeviceArray &array, mlir::Value rowPointer,
                     mlir::Value stored);
  void storeEach(const DeviceArray &array, mlir::Value rowPointer,
                 mlir::Value stored);
  mlir::Value axisOffset(LoadOp load, const DeviceArray &array,
                         mlir::Value index);
  mlir::Value rowPointer(const DeviceArray &array, const TilePlace &place);
  mlir::Value positionStride(const DeviceArray &array);
  mlir::Value stepPointer(const DeviceArray &array, mlir::Value rowPointer,
                          mlir::Value position, const TilePlace &place);
  mlir::Value accessPointer(const DeviceArray &array, mlir::Value rowPointer,
                            mlir::Value position, const TilePlace &place);
  mlir::Value reverse(mlir::Value fragment);
  mlir::Value emitOutside(OutsideOp outside);
  mlir::Value stepAt(mlir::Value position);
  mlir::Value emitStep(StepOp step);
  mlir::Value emitReduce(ReduceOp reduce);
  bool hasPieces(const DeviceArray &array) const;
  unsigned accessSteps(const DeviceArray &array) const;
  bool isStaged(const DeviceArray &array) const;
  mlir::Value isInWindow(unsigned position, const TilePlace &place);
  mlir::Value accessPosition(const DeviceArray &array, unsigned number);

  // Segments.cpp: packed rows.
  mlir::Value emitSegment(SegmentOp segment);
  llvm::SmallVector<mlir::Value>
  searchSubgroup(Bounds &bounds, mlir::Value first,
                 llvm::ArrayRef<mlir::Value> steps);

  // Levels.cpp: the levels of the scan.
  struct Map {
    mlir::Value a, b;
  };
  Map combine(Map earlier, Map later);
  struct Reach {
    mlir::Value lanes, isCut;
  };
  Reach findReach(mlir::Value isCut, mlir::Value lane, unsigned stride);
  Map scanLanes(Map map, mlir::Value lane, unsigned count, unsigned stride = 1);
  Map exclude(Map scanned, mlir::Value lane, unsigned stride = 1);
  Map shuffleMapUp(Map map, unsigned distance);
  Map shuffleMap(Map map, mlir::Value lane);
  Map scanGroups(ScanWorkgroupOp scan);
  static mlir::VectorType pairOf(mlir::Type real);
  void storeMap(Map map, mlir::Value pointer);
  Map loadMap(mlir::Type real, mlir::Value pointer);
  mlir::Value isZero(mlir::Value real);
  mlir::Value applyMap(Map map, mlir::Value state);
  mlir::Value emitNeighbour(NeighbourOp neighbour);
  void emitCompose(ComposeOp compose);
  void emitScanSubgroup(ScanSubgroupOp scan);
  void emitScanWorkgroup(ScanWorkgroupOp scan);
  void scanWithLanes(ScanWorkgroupOp scan);
  void shareMaps(ScanWorkgroupOp scan, Map map, mlir::Value unit,
                 mlir::Value isSharer);
  mlir::Value sharedGroup(ScanWorkgroupOp scan, mlir::Type real,
                          mlir::Value unit);
  unsigned bundle() const;
  unsigned numBundles() const;
  void shareBundles(ScanWorkgroupOp scan);
  Map loadBundle(ScanWorkgroupOp scan, mlir::Value number);
  Map composeBundles(ScanWorkgroupOp scan);
  mlir::Value foldStates(ScanWorkgroupOp scan, mlir::Value before);
  void emitAdvance(AdvanceOp advance);
  void emitCarry(CarryOp carry);
  mlir::Value advanceCarry(Map tile, mlir::Value carry);
  mlir::Value subgroupLane();
  mlir::Value lastLane();

  // PackedEntries.cpp: arrays along an axis, all of each in shared memory and
  // the subgroup's part of it.
  struct PackedArray {
    mlir::Value shared, area;
  };
  void findPackedArrays();
  void stagePacked();
  bool canCopy(const DeviceArray &array) const;
  void copyPacked(const DeviceArray &array, mlir::Value area);
  void movePacked(const DeviceArray &array, mlir::Value area);
  mlir::Value packedPointer(const DeviceArray &array, mlir::Value number,
                            int64_t span);
  int64_t numPacked() const;
  int64_t packedGap(const DeviceArray &array, int64_t number) const;
  mlir::Value packedSlot(const DeviceArray &array, mlir::Value number);
  mlir::Value loadPacked(LoadOp load, const DeviceArray &array);

  // SharedMemory.cpp
  mlir::Value subgroupNumber();
  mlir::Value sharedArray(mlir::Type element, int64_t count);
  mlir::Value exchange(mlir::Value fragment, unsigned access, bool toPositions);
  mlir::Value stagingArea();

  // TicketLoop.cpp: tiles by ticket.
  struct Item {
    mlir::Value block, tile; // i32
  };
  /// What a turn of the loop starts with.
  struct Turn {
    Item back, front;
    mlir::Value drawn;  // the leader's next ticket
    mlir::Value parity; // the front's; the back has the other
    llvm::SmallVector<mlir::Value> pending; // of the back's front
    ReadAhead ahead;                        // of the front
  };
  void emitLookBack();
  mlir::Value drawTicket();
  mlir::Value drawAfter(mlir::Value ticket);
  void openTickets();
  mlir::Value shareTicket(mlir::Value number,
                          llvm::function_ref<mlir::Value()> draw);
  Turn firstTurn();
  Turn emitTurn(const Turn &turn);
  llvm::SmallVector<mlir::Value> packTurn(const Turn &turn);
  Turn unpackTurn(Turn turn, mlir::ValueRange values);
  Item itemOf(mlir::Value ticket);
  mlir::Value isTile(Item item);
  TilePlace placeOf(Item item, mlir::Value parity);
  void divideBody();
  bool isCheap(mlir::Value value);
  void addCrossing(mlir::Operation *op);
  void
  forEachPending(llvm::function_ref<void(mlir::Value, mlir::Value &)> each);
  llvm::SmallVector<mlir::Value> pendingValues();
  llvm::SmallVector<mlir::Type> pendingTypes();
  void setPendingValues(mlir::ValueRange pending);
  void emitFront(const TilePlace &place, const ReadAhead &ahead);
  void emitBack(const TilePlace &place);
  llvm::SmallVector<mlir::Value>
  whenTile(Item item, mlir::TypeRange types,
           llvm::function_ref<llvm::SmallVector<mlir::Value>()> then);
  llvm::SmallVector<mlir::Value> zeros(mlir::TypeRange types);

  // LookBack.cpp: states through memory.
  struct TileState {
    mlir::Value kind; // i32
    mlir::Value a, b;
    mlir::Value state; // f64
  };
  mlir::Value statePointer(CarryOp carry, mlir::Value tile);
  void publish(mlir::Value pointer, unsigned kind,
               llvm::ArrayRef<mlir::Value> words);
  void publishMap(mlir::Value pointer, Map map);
  void publishState(mlir::Value pointer, mlir::Value state);
  TileState readState(mlir::Value pointer, mlir::Value exists, mlir::Type real);
  Map tileMap(CarryOp carry);
  Map totalOf(CarryOp carry, Map known);
  mlir::Value isKnownAlone(Map total);
  void publishTile(CarryOp carry, Map known);
  mlir::Value resolveCarry(CarryOp carry, Map total);
  void emitLookBackCarry(CarryOp carry);
  void resolveWithLanes(CarryOp carry, ScanWorkgroupOp scan, Map known);
  void resolveWithRows(CarryOp carry, ScanWorkgroupOp scan, Map known);
  mlir::Value lookBack(CarryOp carry, mlir::Type real);
  mlir::Value foldWindow(const TileState &mine, mlir::Value start,
                         mlir::Value state);
  mlir::Value toWord(mlir::Value payload, unsigned kind);
  llvm::SmallVector<mlir::Value> split(mlir::Value value);

  ThreadBuilder &b;
  TilesOp tiles;
  ScheduleAttr schedule;
  const DeviceCall &call;
  const TargetTraits &target;
  SharedArrays &sharedArrays;
  ThreadPlace thread;

  TilePlace place; // of the tile that is being emitted
  ChainState state, nextState;
  llvm::DenseMap<mlir::Value, mlir::Value> values; // of the ops so far
  llvm::SmallVector<CarryOp> carries;

  // Shared memory of the groups' maps, the map of the groups before the
  // thread's in its bundle, and the states before the thread's group.
  llvm::DenseMap<mlir::Operation *, mlir::Value> groupMaps;
  llvm::DenseMap<mlir::Operation *, Map> inBundle;
  llvm::DenseMap<mlir::Value, mlir::Value> groupStates;

  // Shared memory of fragments on their way, and how many went through it.
  mlir::Value staging;
  int64_t stagingBytes = 0, stagings = 0;

  llvm::MapVector<mlir::Value, PackedArray> packedEntries;

  // Of a kernel that looks back.
  mlir::Value epoch, numItems, numTickets, numTiles, rowBlocks;
  mlir::Value isLeader, sharedTickets;
  // What stands behind a carry, what is computed there again, what of the front
  // goes there, and what of it the front can publish.
  llvm::DenseSet<mlir::Operation *> behind, again;
  llvm::SetVector<mlir::Value> crossing;
  llvm::SmallVector<CarryOp> earlyCarries;
  llvm::SmallVector<ScanWorkgroupOp> earlyScans;
  llvm::DenseMap<mlir::Operation *, Map> earlyMaps;
};

} // namespace rlscan

#endif // RLSCAN_TILESTOGPU_TILEEMITTER_H
